#!/usr/bin/env bats
# The whole way of a grading under valgrind: the front end and the proctors touch no memory that is not
# theirs, and use or send no byte that was never set. Drivers, compilers and launchers run without it.

load ../helpers/common

setup() { cd "$BATS_TEST_TMPDIR" || return 1; }

# paragrade ARGUMENT..., with what valgrind finds in found.txt. Calls that valgrind does not know only warn.
checked() {
    command -v valgrind >/dev/null || skip 'needs valgrind'
    valgrind -q --trace-children=yes '--trace-children-skip=*/driver-*,*/bin/mpi*,/usr/bin/*,/bin/*' \
        --log-file="$PWD/valgrind-%p" "$PARAGRADE" "$@" >out.txt 2>&1 || [ $? = 1 ] || fail "$(cat out.txt)"
    grep -h '^==' valgrind-* >found.txt || true
    [ "$(find . -maxdepth 1 -name 'valgrind-*' | wc -l)" -gt 4 ] || fail 'valgrind did not follow the proctors'
}

# The proctor is so slow here that the two clocks of a timed run may disagree.
@test "memory: ranks, and programs that pass, crash, and are wrong" {
    local naive=$REPO/student_impls/alice/naive.c
    cat >a.yaml <<END
name: memory
kernel: gemm
type: i32
reference: $REPO/reference/gemm
baseline: naive
yardstick: naive
correctness: {random: 1, max: 20, edges: no, stress_threads: [2], stress_repeat: 1, stress_time: 2ms}
performance: {sizes: [32], budget: 10ms, precision: 0.5, min_sample: 1ms, quiet_node: false}
limits: {case: 30s, unit: 3m, memory: 1G}
pragmas: allow
sanitized: off
tiers:
  - name: naive
    sources: [naive.c]
    compile: gcc -std=c11 -O2 -fwrapv -fPIC -shared -I{abi} -o {out} {src}
    points: {correct: 10}
  - name: mpi
    kind: mpi
    sources: [mpi.c]
    compile: mpicc -std=c11 -O2 -fwrapv -fopenmp -fPIC -shared -DPARAGRADE_MPI -I{abi} -o {out} {src} -lm
    launcher: mpirun --mca mpi_yield_when_idle 1 --oversubscribe --bind-to none -n {ranks}
    ranks: [2]
    points: {correct: 10}
END
    mkdir -p subs/{good,crash,wrong}
    cp "$REPO"/reference/gemm/{mpi.c,micro.h,gemm_block.h,element.h} subs/good/
    sed 's/k < K/k < K - 1/' "$naive" >subs/wrong/naive.c
    sed 's/^{/{ if (M > 1) __builtin_trap();/' "$naive" >subs/crash/naive.c
    checked grade -q -j 1 -a a.yaml --run-id r subs
    run verdicts reports/r
    assert_line --regexp '^good mpi (pass|clock-mismatch)$'
    assert_line 'crash naive crash'
    assert_line 'wrong naive wrong-answer'
    run cat found.txt
    assert_output ''
}

@test "memory: operands of each rank, and a trusted source with a process of its own" {
    mkdir -p subs/good
    cp "$REPO/tests/fixtures/spread/reference/mpi.c" subs/good/
    cp -r "$REPO"/tests/fixtures/spread/* .
    sed -i 's/random: 3, min: 1, max: 300/random: 1, min: 1, max: 30/' assignment.yaml
    checked grade -q -j 1 -a assignment.yaml --run-id r subs
    run verdicts reports/r
    assert_line --regexp '^good mpi (pass|clock-mismatch)$'
    run cat found.txt
    assert_output ''
}
