#!/usr/bin/env bats
# Wrong kernels as students write them, in tests/fixtures/wrong_kernels: the verdict and the words that
# lead to the line are in the first lines of each, and words that would mislead. The command of the report
# shows the mistake again.
# One is right, and looks like a deadlock.

load ../helpers/common

ZOO=$BATS_TEST_DIRNAME/../fixtures/wrong_kernels

# A tier for each source of the kernel: the first name is the student's, the other one the reference's.
# A source says how many ranks or threads it has, if not two. With MPI_Isend, also short messages do
# not leave at once.
tier() { # NAME
    local workers
    workers=$(sed -nE 's|^ \* workers: ([0-9, ]*[0-9]).*|\1|p' "$1.c")
    if grep -q MPI_Comm "$1.c"; then
        echo "  - {name: $1, kind: mpi, sources: [$1.c, mpi.c], ranks: [${workers:-2}], points: {correct: 1}, requires: [{command: mpicc}, {command: mpirun}],"
        echo '     compile: "mpicc -std=c11 -O2 -fwrapv -fopenmp -fPIC -shared -DPARAGRADE_MPI -I{abi} -o {out} {src}",'
        echo "     launcher: \"mpirun --mca mpi_yield_when_idle 1 $(grep -q Isend "$1.c" && echo '--mca btl_vader_eager_limit 64') --oversubscribe --bind-to none -n {ranks}\"}"
    else
        echo "  - {name: $1, sources: [$1.c, naive.c, ell_serial.c], with: [with/*.c], threads: [${workers:-$(grep -q 'pragma omp' "$1.c" && echo 2 || echo 1)}], points: {correct: 1},"
        echo '     compile: "gcc -std=c11 -O2 -mavx2 -mfma -fopenmp -fPIC -shared -I{abi} -o {out} {src} -lm"}'
    fi
}

# Checks all sources of a kernel at once.
check() { # KERNEL SANITIZED SIZE LINES-OF-THE-ASSIGNMENT
    local f first
    cp -r "$ZOO/$1" "$BATS_TEST_TMPDIR/student"
    cd "$BATS_TEST_TMPDIR/student" || return 1
    for f in *.c; do tier "${f%.c}"; done >../tiers
    first=$(sed -n 's/.*{name: \([a-z]*\), sources.*/\1/p' ../tiers | head -n 1)
    cd ..
    cat >a.yaml - tiers <<YAML
name: wrong
$4
seed: 7
baseline: $first
yardstick: $first
sanitized: $2
performance: {sizes: [$3], budget: 1ms, precision: 0.5, min_sample: 1ms, quiet_node: false}
limits: {case: 8s, unit: 60s, memory: 300M, failures: 1}
tiers:
YAML
    "$PARAGRADE" check -q --no-timing -a a.yaml --reports r student >out 2>&1 || [ $? = 1 ] || fail "$(cat out)"
    RUN=$(echo r/wrong-*)
    for f in student/*.c; do judged "$(basename "$f" .c)"; done
}

# The same for a kernel of testcases/.
check_file() { # KERNEL SANITIZED SIZE CORRECTNESS [LINE]
    check "$1" "$2" "$3" "kernel: $REPO/testcases/$1/kernel/$1.yaml
reference: $REPO/testcases/$1/reference
correctness: {$4}
${5:-}"
}

# The verdict and the words of a source; the first command that its report gives fails, too.
judged() { # NAME
    local said again wanted
    wanted=$(sed -nE 's|^/\* verdict: (.*)|\1|p' "student/$1.c")
    assert_equal "$1 $(jq -r .verdict "$RUN/units/student.$1/result.json")" "$1 $wanted"
    jq -r '.message, .remarks, .smallest.message' "$RUN/units/student.$1/result.json" >words
    while read -r said; do
        grep -qF -- "$said" words || fail "$1: no '$said' in $(cat words)"
    done < <(sed -nE 's|^ \* says: ||p' "student/$1.c" | sed 's| \*/$||')
    while read -r said; do
        ! grep -qF -- "$said" words || fail "$1: '$said' is not true of it: $(cat words)"
    done < <(sed -nE 's|^ \* not: ||p' "student/$1.c" | sed 's| \*/$||')
    [ "$wanted" != pass ] || return 0
    again=$(sed -nE "s/.*again: paragrade (replay [^ ]* student\.$1 .*)/\1/p" out | head -n 1)
    [ -n "$again" ] || fail "$1 has no command: $(cat out)"
    for _ in 1 2 3; do # of a race on a busy core
        # shellcheck disable=SC2086
        run "$PARAGRADE" $again
        [ "$status" = 0 ] || break
    done
    [ "$status" = 1 ] || fail "$again: $output"
}

@test "wrong kernels: products" {
    check gemm off 8 "$(printf '%s\n' 'kernel: gemm' 'type: i32' "reference: $REPO/reference/gemm" \
        'correctness: {random: 2, max: 20, edges: yes}')"
}

@test "wrong kernels: sums of all before, with the second build" {
    check_file scan remark 8 'random: 2, max: 100, edges: yes' 'type: f64'
}

@test "wrong kernels: histograms, with the second build" {
    check_file histogram remark 8 'random: 2, max: 100, edges: yes'
}

@test "wrong kernels: paths, with the second build" {
    check_file paths remark 8 'random: 6, max: 12, edges: no, stress_time: 100ms'
}

@test "wrong kernels: pairs" {
    check_file pairs off 8x8 'random: 4, max: 40, edges: yes'
}

@test "wrong kernels: heat in 0 steps, where nothing has to be done" {
    cp -r "$REPO/testcases/heat/kernel" "$BATS_TEST_TMPDIR"
    sed -i 's/steps: [a-z]* .*, u:/steps: uniform 0 3, u:/' "$BATS_TEST_TMPDIR/kernel/heat.yaml"
    check steps off 4x4 "kernel: kernel/heat.yaml
reference: $REPO/testcases/heat/reference
correctness: {random: 40, min: 3, max: 60, edges: no}"
}

@test "wrong kernels: heat, bodies and blurs, by the mistakes that their files know" {
    check_file heat off 4x4 'random: 20, min: 3, max: 12, edges: no'
    rm -r student r a.yaml
    check_file nbody off 4 'random: 8, max: 12, edges: no'
    rm -r student r a.yaml
    check_file blur off 4x4 'random: 3, max: 12, edges: no'
}

@test "wrong kernels: scalar products, with the second build" {
    check_file dot remark 8 'random: 20, max: 100, edges: no' 'type: f64'
}

@test "wrong kernels: sorting" {
    check_file sort off 8 'random: 10, max: 300, edges: no'
}

@test "wrong kernels: labels of sets" {
    check_file components off 8x8 'random: 4, max: 20, edges: yes'
}

@test "wrong kernels: the Fourier transform" {
    check_file fft off 3 'random: 4, max: 6, edges: yes'
}

@test "wrong kernels: sparse products" {
    check spmm_ell off poisson:3x4 "$(printf '%s\n' 'kernel: spmm_ell' 'type: f64' "reference: $REPO/reference/spmm" \
        'correctness: {random: 6, max: 40, edges: yes}')"
}
