#!/usr/bin/env bats
# shellcheck disable=SC2154
# paragrade sweep: the real proctor on a kernel with a macro.

load ../helpers/common

setup_file() {
    cd "$BATS_FILE_TMPDIR" || return 1
    cp "$REPO/tests/fixtures/sweep.yaml" a.yaml
    sed -i "s|REFERENCE|$REPO/reference/gemm|" a.yaml
    mkdir -p subs/alice
    cat >subs/alice/naive.c <<'C'
#include "gemm.h"
#ifndef STEP
#define STEP 1
#endif
_Static_assert(STEP != 3, "three is not allowed");
void gemm_i32(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C)
{
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++) {
            int32_t s = 0;
            for (int r = 0; r < REPEAT; r++) { /* slower, and right all the same */
                s = 0;
                for (int k = 0; k < K; k++)
                    s += A[(long)i * K + k] * B[(long)k * N + j];
                __asm__ volatile("" : "+r"(s));
            }
            C[(long)i * N + j] = STEP == 4 ? s + 1 : s;
        }
}
C
    "$PARAGRADE" sweep -q -a a.yaml --run-id s subs/alice >s.txt 2>s.err || true
}

setup() {
    cd "$BATS_FILE_TMPDIR" || return 1
}

@test "sweep: wrong arguments" {
    run "$PARAGRADE" sweep -a a.yaml
    assert_failure 2
    run "$PARAGRADE" sweep -a a.yaml --reference subs/alice
    assert_failure 2
    run "$PARAGRADE" sweep -a a.yaml --sweep nope subs/alice
    assert_failure 2
    assert_output --partial "there is no sweep 'nope'; the assignment has steps"
    run -2 "$PARAGRADE" sweep -a a.yaml -t simd subs/alice # it has none
    assert_output --partial "there is no sweep 'simd'; the assignment has steps"
    run -2 "$PARAGRADE" sweep -a a.yaml -t naive -s steps subs/alice
    assert_output --partial 'give --sweep or --tier'
    run "$PARAGRADE" sweep -a "$REPO/tests/fixtures/small.yaml" subs/alice
    assert_failure 2
    assert_output --partial 'has no sweeps'
}

@test "sweep: mistakes in the assignment are named with file, line and field" {
    while IFS='|' read -r edit words; do
        sed "$edit" a.yaml >bad.yaml
        run "$PARAGRADE" sweep -a bad.yaml subs/alice
        assert_failure 2
        assert_output --partial 'bad.yaml:'
        assert_output --partial "$words"
    done <<'T'
s/macro: STEP/macro: 1STEP/|not the name of a macro
s/macro: STEP/macro: REPEAT/|two axes for REPEAT
s/\[1, 3, 4\]/[1, 1]/|1 is given twice
s/tier: naive/tier: nope/|no tier named 'nope'
s/name: steps/name: simd/|'simd' is the name of a tier
T
}

@test "sweep: the sweeps of a tier" {
    sed '/^sweeps:/,$ d' a.yaml >three.yaml
    cat >>three.yaml <<'YAML'
sweeps:
  - {name: one, tier: naive, axes: [{macro: STEP, values: [3]}]}
  - {name: two, tier: naive, axes: [{macro: STEP, values: [3]}]}
  - {name: other, tier: simd, threads: [1, 2]}
YAML
    "$PARAGRADE" sweep -q -a three.yaml --run-id t -t naive subs/alice >/dev/null
    run -0 cut -d, -f2 reports/t/units.csv
    assert_output $'tier\none\ntwo'
}

@test "sweep: every combination once, each with its verdict" {
    run cat reports/s/sweep.csv
    assert_line --regexp '^alice,steps,STEP=1 REPEAT=1,1,1,1,0,64,pass,'
    assert_line --regexp '^alice,steps,STEP=1 REPEAT=8,1,1,1,0,64,pass,'
    assert_line --regexp '^alice,steps,STEP=3 REPEAT=1,1,1,1,0,64,build-error,.*three is not allowed'
    assert_line --regexp '^alice,steps,STEP=4 REPEAT=8,1,1,1,0,64,wrong-answer,'
    assert_equal "$(wc -l <reports/s/sweep.csv)" 7
}

@test "sweep: the best of a size is marked, named, and the fastest" {
    run cat s.txt
    assert_output --partial 'best at 64: STEP=1 REPEAT=1, '
    assert_output --regexp 'STEP=1 REPEAT=1[[:space:]]+\* '
    run awk -F, '$1 == "alice" && $15 == "yes" { print $3 }' reports/s/sweep.csv
    assert_output 'STEP=1 REPEAT=1'
    run awk -F, '$3 == "STEP=1 REPEAT=8" { exit !($14 > 0 && $14 < 0.5) }' reports/s/sweep.csv
    assert_success
}

@test "sweep: a time that is not confirmed has a ~, in the table as in the picture" {
    sed 's/budget: 200ms, precision: 0.1/budget: 1ms, precision: 0.0001/' a.yaml >rough.yaml
    run "$PARAGRADE" sweep -q -a rough.yaml --run-id rough subs/alice
    assert_output --regexp 'STEP=1 REPEAT=8 +~[0-9]'
    assert_output --regexp 'best at 64: STEP=1 REPEAT=1, ~[0-9.]+ GOP/s'
    run "$PARAGRADE" plot rough
    assert_output --regexp 'STEP=1 REPEAT=8 .*~[0-9.]+ GOP/s'
}

@test "sweep: no points, no grades, and verify agrees" {
    run "$PARAGRADE" verify reports/s
    assert_success
    run ls reports/s
    assert_line sweep.csv
    refute_line speedup.csv
    refute_line grades.csv
}

@test "sweep: resume and report know it for what it is" {
    run "$PARAGRADE" report reports/s
    assert_output --partial 'best at 64: STEP=1 REPEAT=1'
    refute_output --regexp 'points +of'
}

@test "sweep: a combination that kills itself is a crash, and the others are measured" {
    mkdir -p killers/bob
    {
        echo '#include <signal.h>'
        echo '#include <unistd.h>'
        sed 's/^    for (int i = 0/    if (STEP == 4) kill(getpid(), SIGKILL);\n&/' subs/alice/naive.c
    } >killers/bob/naive.c
    sed "s/^tiers:/allow: '*'\n&/" a.yaml >killers.yaml
    run "$PARAGRADE" sweep -q -a killers.yaml --run-id k killers/bob
    run cat reports/k/sweep.csv
    assert_line --regexp '^bob,steps,STEP=1 REPEAT=8,1,1,1,0,64,pass,'
    assert_line --regexp '^bob,steps,STEP=4 REPEAT=1,1,1,1,0,64,crash,.*it sent itself signal 9'
}

@test "sweep: a source that prints the words of a killed compiler has a build error, and is not tried again" {
    mkdir -p killed/dan
    sed 's/three is not allowed/cc1 terminated with signal 9/' subs/alice/naive.c >killed/dan/naive.c
    run "$PARAGRADE" sweep -q -a a.yaml --run-id c killed/dan
    assert_equal "$(find reports/c/units/dan.steps -name 'infra-*.json' | wc -l)" 0
    run cat reports/c/sweep.csv
    assert_line --regexp '^dan,steps,STEP=1 REPEAT=1,1,1,1,0,64,pass,'
    assert_line --regexp '^dan,steps,STEP=3 REPEAT=1,1,1,1,0,64,build-error,.*terminated with signal 9'
}

@test "sweep: where the tier cannot run, each combination is built all the same, and skipped" {
    sed 's|name: naive|&\n    requires: [{file: /nowhere/at-all, for: run}]|' a.yaml >lacks.yaml
    run "$PARAGRADE" sweep -q -a lacks.yaml --run-id l subs/alice
    run cat reports/l/sweep.csv
    assert_line --regexp '^alice,steps,STEP=1 REPEAT=1,1,1,1,0,64,skipped,.*this machine has no /nowhere/at-all'
    assert_line --regexp '^alice,steps,STEP=3 REPEAT=8,1,1,1,0,64,build-error,.*three is not allowed'
}

@test "sweep: a combination without the kernel's function is a build error" {
    mkdir -p nameless/eve
    sed '1a #if STEP == 4\n#define gemm_i32 gemm_i32_of_eve\n#endif' subs/alice/naive.c >nameless/eve/naive.c
    run "$PARAGRADE" sweep -q -a a.yaml --run-id n nameless/eve
    run cat reports/n/sweep.csv
    assert_line --regexp '^eve,steps,STEP=1 REPEAT=1,1,1,1,0,64,pass,'
    assert_line --regexp '^eve,steps,STEP=4 REPEAT=8,1,1,1,0,64,build-error,.*do not define the function gemm_i32; they define gemm_i32_of_eve'
}

# STEP=4 is wrong at the size 96: in every call (fay), or not before it is timed (kim).
@test "sweep: a combination that is wrong at one size has no time at the others" {
    mkdir -p wrong/{fay,kim}
    sed 's/STEP == 4 ?/STEP == 4 \&\& M == 96 ?/' subs/alice/naive.c >wrong/fay/naive.c
    sed 's/STEP == 4 ?/STEP == 4 \&\& calls > 4 ?/
        s/^    for (int i = 0/    static int calls;\n    calls += M == 96;\n&/' subs/alice/naive.c >wrong/kim/naive.c
    sed 's/sizes: \[64\]/sizes: [64, 96]/; s/\[1, 8\]/[1]/' a.yaml >wrong.yaml
    run "$PARAGRADE" sweep -q -a wrong.yaml --run-id w wrong/fay wrong/kim
    local who
    for who in fay kim; do
        run awk -F, -v who="$who" '$1 == who { print $3, $8, $9, ($10 > 0) }' reports/w/sweep.csv
        assert_line 'STEP=4 REPEAT=1 64 pass 0'
        assert_line 'STEP=4 REPEAT=1 96 wrong-answer 0'
        assert_line 'STEP=1 REPEAT=1 64 pass 1'
        assert_line 'STEP=1 REPEAT=1 96 pass 1'
    done
}

# Each combination tells its first core in a wrong element, when it is timed.
@test "sweep: all combinations of a group begin with the same core" {
    mkdir -p cores/gus
    {
        echo '#define _GNU_SOURCE'
        echo '#include <sched.h>'
        sed 's/^    for (int i = 0/    cpu_set_t s;\n    int first = 0;\n    sched_getaffinity(0, sizeof s, \&s);\n&/
            s/^}$/    while (!CPU_ISSET(first, \&s))\n        first++;\n    if (M == 64)\n        C[0] = 1000000 + first;\n}/
            s/STEP != 3/1/; s/STEP == 4/0/' subs/alice/naive.c
    } >cores/gus/naive.c
    sed "s/^tiers:/allow: '*'\n&/; s/^    axes:/    threads: [1, 2]\n&/" a.yaml >cores.yaml
    run "$PARAGRADE" sweep -q -a cores.yaml --run-id g cores/gus
    run grep -o 'got 1000[0-9]*' reports/g/sweep.csv
    assert_equal "${#lines[@]}" 12
    assert_equal "$(printf '%s\n' "${lines[@]}" | sort -u | wc -l)" 1
}
