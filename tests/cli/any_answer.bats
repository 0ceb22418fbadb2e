#!/usr/bin/env bats
# Exercises with many right results: a C function of the instructor says whether one is right.

load ../helpers/common

setup() { cd "$BATS_TEST_TMPDIR" || exit 1; }

expect() { # RUN SUBMISSION TIER VERDICT
    grep -qx "$2 $3 $4" <(verdicts "reports/$1") || {
        verdicts "reports/$1"
        cat "$1.txt"
        fail "$1: $2 $3 is not $4"
    }
}

@test "any answer: of many right results, the check of the exercise accepts any" {
    local unit
    sed -e 's/budget: [0-9]*ms/budget: 1ms/; s/precision: 0.05/precision: 0.3/; s/quiet_node: true/quiet_node: false/' \
        -e 's/^seed:.*/&\nsanitized: off/; s/stress_threads: .*/stress_threads: [3]/; s/threads: \[1, 2, 4\]/threads: [2]/' \
        -e "s|: kernel/|: $REPO/testcases/bfs/kernel/|; s|: reference|: $REPO/testcases/bfs/reference|; s/ -mavx2 -mfma//" \
        "$REPO/testcases/bfs/assignment.yaml" >bfs.yaml
    run -0 "$PARAGRADE" grade --no-wait -q -a bfs.yaml -p quick --run-id bfs "$REPO/testcases/bfs/examples"
    echo "$output" >bfs.txt
    for unit in reference:naive reference:openmp ana:naive ana:openmp; do expect bfs "${unit%:*}" "${unit#*:}" pass; done
    expect bfs ben openmp wrong-answer
    expect bfs cleo naive wrong-answer
    run -0 grep '^cleo,naive' reports/bfs/cases.csv
    assert_output --regexp 'parent is not right: parent\[[0-9]+\] is '
    run -0 grep '^ben,openmp' reports/bfs/units.csv
    assert_output --partial 'a race: the same values give different results'
    run -0 jq -r '.run.kernel_sha256 | keys | join(" ")' reports/bfs/receipts.json
    assert_output 'bfs.c bfs.yaml bfs_check.c'
    run -2 "$PARAGRADE" replay reports/bfs cleo.naive 0 --export program
    assert_output --partial '--export: only the check of the exercise knows whether parent is right'
}

@test "any answer: labels that collide in a table do not hold up the grader" {
    mkdir -p class/{collide,honest}
    cp "$REPO/tests/redteam/labels/collide.c" class/collide/naive.c
    cp "$REPO/testcases/components/reference/naive.c" class/honest/
    sed -e "s|: kernel/|: $REPO/testcases/components/kernel/|; s|: reference|: $REPO/testcases/components/reference|" \
        -e 's/^seed:.*/&\nsanitized: off/; /^  - name: simd/,$d; /^  - name: openmp/,$d; /^slurm/d; s/random: .*/random: 2/' \
        -e 's/sizes: .*/sizes: [200000x100]/; s/budget: .*/budget: 1ms/; s/precision: .*/precision: 0.3/; s/quiet_node: true/quiet_node: false/' \
        "$REPO/testcases/components/assignment.yaml" >components.yaml
    timeout 60 "$PARAGRADE" grade --no-wait -q -a components.yaml --run-id labels class >labels.txt 2>&1 ||
        fail "$(<labels.txt)"
    expect labels collide naive pass
    expect labels honest naive pass
}

# Submissions: the last largest element, the first smallest one, an index far outside, and n.
checked() { # RUN, CONDITION IN PLACE OF THE CHECK'S FIRST ONE: its exit status
    cp -r "$REPO/tests/fixtures/exercises" "$1"
    sed -e 's/KERNEL/checked/' -e 's/^title.*/&\nsanitized: off\nsubmit: {retries: 0}/' -e 's/case: 2s/case: 200ms/' -e 's/random: 12, min: 1/random: 3, edges: false, min: 50/' \
        -e 's/sizes: .*/sizes: [1000], budget: 1ms, precision: 0.3, min_sample: 1ms, quiet_node: false}/' \
        "$1/assignment.yaml" >"$1/checked-assignment.yaml"
    sed -i "s/if (\*result < 0.*/$2/" "$1/checked_check.c"
    cp "$1/checked.c" "$1/naive.c"
    local word
    for word in 'last:>=:best' 'first:<:best' 'far:>:2000000000' 'end:>:n'; do
        IFS=: read -r name compare result <<<"$word"
        mkdir -p "$1/students/$name"
        printf '#include "checked.h"\nint32_t checked(int n, const int32_t *x) { int32_t best = 0; for (int i = 1; i < n; i++) best = x[i] %s x[best] ? i : best; return %s; }\n' \
            "$compare" "$result" >"$1/students/$name/naive.c"
    done
    "$PARAGRADE" grade --no-wait -q -a "$1/checked-assignment.yaml" --run-id "$1" "$1/students" >"$1.txt" 2>&1
}

@test "any answer: a check that crashes or hangs on a result finds a wrong answer, and is nobody's fault if it does so on the right one" {
    run -0 checked reads 'while (*result == n);\nif (0) {'
    expect reads last naive pass
    expect reads first naive wrong-answer
    expect reads far naive wrong-answer
    expect reads end naive wrong-answer
    run -0 cut -d, -f1,3- reports/reads/units.csv
    assert_line --regexp '^first,.*return is not right: element [0-9]+ is -?[0-9]+, and a larger one is'
    assert_line --regexp '^far,.*the check of the exercise cannot read it .it was killed by signal 11 .Segmentation fault..; stopped after 3 failures'
    assert_line --regexp '^end,.*the check of the exercise cannot read it .ran longer than 0.2 s'
    run -1 checked fails '{ *(volatile int *)8 = 1;'
    run -0 verdicts reports/fails
    assert_output "$(printf '%s naive infra-error\n' end far first last reference)"
    run -0 cut -d, -f1,3- reports/fails/units.csv
    assert_line --regexp '^last,.*the check of the exercise fails on the right answer: it was killed by signal 11'
    run -1 checked refuses 'return 0;\nif (0) {'
    run -0 verdicts reports/refuses
    assert_output "$(printf '%s naive infra-error\n' end far first last reference)"
}

@test "any answer: tables, comparisons, pages, sweeps, nights, and new points, of a kernel whose operations nobody counts" {
    cp "$REPO"/tests/fixtures/exercises/checked* .
    mkdir -p reference students/s
    cp checked.c reference/naive.c
    cp checked_second.c reference/other.c
    cp checked_second.c students/s/other.c
    sed 's/int i = 1; i < n; i++/int i = n - 1; i >= 0; i--/' checked.c >students/s/naive.c
    cat >a.yaml <<'YAML'
name: checked
kernel: checked.yaml
reference: reference
baseline: naive
yardstick: naive
sanitized: off
correctness: {random: 1, max: 100, edges: false, stress_threads: []}
performance: {sizes: [1000], budget: 1ms, precision: 0.5, min_sample: 1ms, quiet_node: false}
versus: [[other, naive], [naive, "reference:other"]]
flags: {cc: gcc -O2 -fPIC -shared}
sweeps:
  - {name: steps, tier: naive, axes: [{macro: WIDTH, values: [1, 2]}]}
tiers:
  - {name: naive, sources: [naive.c], compile: "{cc} -I{abi} -o {out} {src}", points: {correct: 1}}
  - {name: other, sources: [other.c], compile: "{cc} -I{abi} -o {out} {src}", points: {correct: 1}}
YAML
    run -0 "$PARAGRADE" grade --no-wait -q -a a.yaml --run-id r students
    [ "$(cut -d, -f 1-3,8 reports/r/versus.csv | grep -c '^s,other,naive,1000\|^s,naive,reference:other,1000')" = 2 ]
    run -0 "$PARAGRADE" report --all pages reports/r
    run -1 grep -riwE 'nan|inf' pages reports/r/grades.csv reports/r/speedup.csv
    run -0 "$PARAGRADE" compare reports/r reports/r
    assert_output --regexp 's +other +1 thread +1000 '
    sed 's/correct: 1/correct: 2/' a.yaml >more.yaml
    run -0 "$PARAGRADE" rescore -a more.yaml reports/r
    assert_output --partial '+2.00  naive, other'
    run -0 "$PARAGRADE" verify reports/r
    sed 's/points: {correct: 1}/points: {correct: 1, metric: gops, speed: [{size: 1000, points: 1, curve: [[1, 0], [2, 1]]}]}/' a.yaml >gops.yaml
    run -2 "$PARAGRADE" cases gops.yaml
    assert_output --partial 'points.metric'"'"': nobody counts operations of the kernel checked'
    # Another check: everything runs again.
    sed -i 's/is no index/is none/' checked_check.c
    run -0 "$PARAGRADE" regrade --dry-run reports/r
    assert_output --partial 'kernel: checked_check.c: reference.naive reference.other s.naive s.other'
    run -0 "$PARAGRADE" sweep --no-wait -q -a a.yaml --run-id s students/s
    assert_output --partial 's, steps: times, the best of each size marked *'
    assert_output --regexp 'best at 1000: WIDTH=[12], ~?[0-9.]+ us'
    PARAGRADE_HISTORY=$PWD/h.sqlite run -0 "$PARAGRADE" nightly -a a.yaml
    refute_output --partial nan
    [ "$(sqlite3 h.sqlite 'SELECT count(*) FROM run')" = 1 ]
}

@test "any answer: a C function makes the values, in ranks too; where it fails, nobody loses points" {
    cp "$REPO"/tests/fixtures/exercises/made* .
    mkdir -p reference students/{good,late}
    cp made.c reference/naive.c
    { echo '#include <mpi.h>' && sed 's/made(int/made_mpi(int/; s/int32_t w)/int w, MPI_Comm comm)/; s/^{/{\n    int rank;\n    MPI_Comm_rank(comm, \&rank);\n    if (rank)\n        return 0;/' made.c; } >reference/mpi.c
    cp reference/*.c students/good
    sed 's/k = start\[i\]/k = start[i] + 1/' made.c >students/late/naive.c
    cat >a.yaml <<'YAML'
name: made
kernel: made.yaml
reference: reference
baseline: naive
yardstick: naive
sanitized: off
correctness: {random: 2, max: 100, edges: false, stress_threads: [], smallest_time: 100ms}
performance: {sizes: [300x400], budget: 1ms, precision: 0.5, min_sample: 1ms, quiet_node: false}
tiers:
  - {name: naive, sources: [naive.c], compile: "gcc -O2 -fPIC -shared -I{abi} -o {out} {src}", points: {correct: 1}}
  - {name: mpi, kind: mpi, sources: [mpi.c], ranks: [2], launcher: "mpirun --mca mpi_yield_when_idle 1 --oversubscribe -n {ranks}",
     compile: "mpicc -O2 -fPIC -shared -I{abi} -o {out} {src}", points: {correct: 1}}
YAML
    run -0 "$PARAGRADE" grade --no-wait -q -a a.yaml --run-id made students
    echo "$output" >made.txt
    for unit in reference:naive reference:mpi good:naive good:mpi; do expect made "${unit%:*}" "${unit#*:}" pass; done
    expect made late naive wrong-answer
    run -0 "$PARAGRADE" replay --export program reports/made late.naive 0
    run ! make -C program run
    assert_output --partial 'y[0]: expected'
    run -0 jq -r '.run.kernel_sha256 | keys | join(" ")' reports/made/receipts.json
    assert_output 'made.c made.yaml made_values.c'
    sed -i 's/    \*w = 1/    if (n > 1)\n        abort();\n&/; s/#include <string.h>/&\n#include <stdlib.h>/' made_values.c
    run -1 "$PARAGRADE" grade --no-wait -q -a a.yaml --tier naive --run-id fails students
    run -0 verdicts reports/fails
    refute_output --partial wrong-answer
    assert_line 'good naive infra-error'
    run -0 grep '^good,naive' reports/fails/units.csv
    assert_output --partial 'the function that makes the values of the exercise failed: it was killed by signal 6'
}

@test "any answer: a trusted source that fails while students are graded says how, and what tries it" {
    local edit words
    while IFS='|' read -r edit words; do
        rm -rf trusted reports
        cp -r "$REPO/tests/fixtures/exercises" trusted
        sed -e 's/KERNEL/checked/' -e 's/^title.*/&\nsanitized: off\nsubmit: {retries: 0}/' -e 's/random: 12, min: 1/random: 1, edges: false, min: 50/' \
            -e 's/case: 2s/case: 300ms, unit: 30s/; s/sizes: .*/sizes: [1000], budget: 1ms, precision: 0.3, min_sample: 1ms, quiet_node: false}/' trusted/assignment.yaml >trusted/a.yaml
        mkdir -p students/ana
        cp trusted/checked.c students/ana/naive.c
        cp trusted/checked.c trusted/naive.c
        sed -i "s|int32_t best = 0;|&\n    $edit|" trusted/checked.c
        run -1 "$PARAGRADE" grade --no-wait -q -a trusted/a.yaml --run-id fails students
        run -0 grep '^ana,naive' reports/fails/units.csv
        assert_output --partial "the trusted source of the exercise failed: $words"
        assert_output --partial 'paragrade kernel check'
    done <<'EDITS'
((int32_t *)(uintptr_t)x)[0] = 1;|wrote to x, which is read-only
*(volatile int *)8 = 1;|it was killed by signal 11
while (n > 60) __asm__ volatile("");|ran longer than 0.9 s, three times limits.case
EDITS
}
