#!/usr/bin/env bats
# shellcheck disable=SC2154,SC2016
# paragrade check: what a student runs. Partly with the real proctor and the real reference.

setup() {
    load ../helpers/common
    load ../helpers/class
    make_class
    export TMPDIR=$BATS_TEST_TMPDIR/tmp
    mkdir "$TMPDIR"
}

teardown() {
    [ -z "${WATCHER:-}" ] || kill "$WATCHER" 2>/dev/null || true # where a test failed
}

@test "check: wrong arguments" {
    run "$PARAGRADE" check
    assert_failure 2
    run "$PARAGRADE" check a b
    assert_failure 2
    run "$PARAGRADE" check -a a.yaml nowhere
    assert_failure 2
    assert_output --partial 'nowhere'
    run "$PARAGRADE" check -a a.yaml --tier nope subs/alice
    assert_failure 2
    run "$PARAGRADE" check -a a.yaml subs
    assert_failure 2
    assert_output --partial 'takes one submission'
}

@test "check: passes, fails, and a tier that is not there yet" {
    run "$PARAGRADE" check -a a.yaml subs/alice
    assert_success
    run "$PARAGRADE" check -a a.yaml subs/wrong
    assert_failure 1
    assert_output --partial 'wrong-answer'
    rm subs/alice/simd.c
    run "$PARAGRADE" check -a a.yaml subs/alice
    assert_success
    assert_output --partial 'missing'
    rm subs/alice/*.c
    echo 'int x;' >subs/alice/other.c
    run "$PARAGRADE" check -a a.yaml subs/alice
    assert_failure
}

@test "check: the quick profile unless --full or another one is given" {
    "$PARAGRADE" check -q -a a.yaml --reports r1 subs/alice >/dev/null
    run cat r1/*/plan.json
    assert_output --partial '"profile": "quick"'
    "$PARAGRADE" check -q -a a.yaml --full --reports r2 subs/alice >/dev/null
    run cat r2/*/plan.json
    assert_output --partial '"profile": ""'
    sed 's/name: quick/name: other/' a.yaml >b.yaml
    "$PARAGRADE" check -q -a b.yaml -p other --reports r3 subs/alice >/dev/null
    run cat r3/*/plan.json
    assert_output --partial '"profile": "other"'
    run -2 "$PARAGRADE" check -q -a b.yaml -p quick subs/alice
    assert_output --partial "has no profile 'quick'; it has: other"
    run -2 "$PARAGRADE" check -a a.yaml -p quick --full subs/alice
    assert_output --partial 'leave out --profile'
}

@test "check: runs go to a directory of one's own, and old ones go away" {
    run -2 "$PARAGRADE" replay demo-1 alice.naive 0
    refute_output --partial 'self-tests'
    dir=$TMPDIR/paragrade-$(id -u)
    first=
    for _ in 1 2 3 4 5 6 7 8 9 10 11 12; do
        "$PARAGRADE" check -q -a a.yaml --tier naive subs/alice >/dev/null
        first=${first:-$(ls "$dir")}
    done
    assert_equal "$(stat -c %a "$dir")" 700
    assert_equal "$(find "$dir" -mindepth 1 -maxdepth 1 | wc -l)" 10
    assert [ ! -e reports ]
    run -2 "$PARAGRADE" replay "$first" alice.naive 0
    assert_output --partial 'only the last 10 are kept: check again, or keep them with paragrade check --reports DIR'
}

begun() { compgen -G "$TMPDIR/paragrade-$(id -u)/*/resume.json"; }

@test "check: what other checks need is no old run" {
    local dir i
    dir=$TMPDIR/paragrade-$(id -u)
    FAKE_SLEEP=30 "$PARAGRADE" check -q --no-wait -a a.yaml --tier naive subs/alice >/dev/null 2>&1 3>&- &
    WATCHER=$!
    wait_until 20 begun
    mkdir "$dir"/{.new-$$-1,made-just-now}
    for i in {1..12}; do
        mkdir "$dir/old-$i"
        touch -d '1 hour ago' "$dir/old-$i"
    done
    touch -d '1 day ago' "$dir"/demo-* "$dir/.new-$$-1"
    touch -d '10 seconds ago' "$dir/made-just-now" # of 11 checks that end at the same moment
    for i in {13..24}; do mkdir "$dir/begun-$i" && echo '{}' >"$dir/begun-$i/resume.json"; done
    "$PARAGRADE" check -q --no-wait -a a.yaml --tier naive subs/alice >/dev/null
    assert [ -e "$dir"/demo-*/lock ]
    assert [ -d "$dir/.new-$$-1" ]
    assert [ -d "$dir/made-just-now" ]
    assert [ -z "$(find "$dir" -name 'old-*')" ]
    assert_equal "$(find "$dir" -name 'begun-*' | wc -l)" 9
    kill "$WATCHER"
    wait "$WATCHER" || true
}

@test "check, report: in a directory that has been removed" {
    mkdir gone
    cd gone
    rmdir ../gone
    run "$PARAGRADE" check -a "$BATS_TEST_TMPDIR/a.yaml" "$BATS_TEST_TMPDIR/subs/alice"
    assert_success
    run "$PARAGRADE" report
    assert_success
    assert_output --partial 'the newest run'
}

@test "check: a directory that others may write to is refused" {
    mkdir -m 777 "$TMPDIR/paragrade-$(id -u)"
    chmod 777 "$TMPDIR/paragrade-$(id -u)"
    run "$PARAGRADE" check -a a.yaml subs/alice
    assert_failure 1
    assert_output --partial 'it must be a directory that belongs to you and that only you can access'
    # Nor is a run taken from there: another user may have put it there, with commands of theirs.
    mkdir "$TMPDIR/paragrade-$(id -u)/planted"
    for command in report resume verify; do
        run "$PARAGRADE" "$command" planted
        assert_failure 2
        assert_output --regexp 'planted: no such|planted.*: No such file or directory'
        refute_output --partial "$TMPDIR"
    done
}

@test "check: the real proctor on a copy of the reference" {
    unset PARAGRADE_PROCTOR
    mkdir me
    cp "$REPO"/reference/gemm/locality.c "$REPO"/reference/gemm/*.h me/
    run "$PARAGRADE" check -a "$REPO/testcases/gemm-i32.yaml" --tier naive --tier locality me
    assert_success
    assert_output --partial 'pass'
    assert_output --partial 'missing'
}

@test "check: the real proctor without PATH" {
    real_assignment 'budget: 50ms' 'unit: 30s' ''
    run env -u PATH "$PARAGRADE" check -q --no-timing -a real.yaml "$REPO/student_impls/alice/naive.c"
    assert_success
}

@test "check: a wrong option in the compile command: the assignment and the tier are named" {
    unset PARAGRADE_PROCTOR
    mkdir me
    cp "$REPO"/reference/gemm/naive.c "$REPO"/reference/gemm/*.h me/
    sed "s|^reference: .*|reference: $REPO/reference/gemm|; s|gcc -o|gcc -O2 -marhc=native -o|; s/yardstick: simd/yardstick: naive/" \
        a.yaml >wrong.yaml
    run -1 "$PARAGRADE" check -a wrong.yaml --tier naive --no-timing me
    assert_output --partial "the compile command of the tier 'naive' does not compile an empty source either"
    assert_output --partial "1 tier has no verdict: this machine failed, or wrong.yaml is wrong. The submission is not the reason. The report above"
}

@test "check: the smallest assignment of the page does not flag the reference" {
    unset PARAGRADE_PROCTOR
    awk '/^```yaml/ {n++; next} /^```/ && n == 1 {exit} n == 1' "$REPO/docs/assignment.md" >page.yaml
    sed -i "s|^reference: .*|reference: $REPO/reference/gemm|" page.yaml
    run -0 "$PARAGRADE" check -a page.yaml --tier simd --no-timing --reports runs "$REPO/reference/gemm"
    run grep -rl 'attribute target' runs/*/units.csv runs/*/units
    assert_output ''
}

@test "check: a terminal shows what is going on, from the first second" {
    unset PARAGRADE_PROCTOR
    mkdir me
    cp "$REPO"/reference/gemm/{naive.c,element.h} me/
    export PARAGRADE_CACHE=$BATS_TEST_TMPDIR/cache # the node is not known
    script -qec "stty cols 60; '$PARAGRADE' check -a '$REPO/tests/fixtures/small.yaml' --tier naive me" terminal </dev/null
    run tr '\r' '\n' <terminal
    assert_line --partial 'me.naive: measuring this'
    assert_line --partial 'me.naive: timing'
    # A bar on two lines could not be cleared.
    assert_equal "$(tr '\r' '\n' <terminal | sed -n '/me.naive/s/\x1b\[K//gp' |
        awk 'length($0) > 59' | head -n 1)" ''
}

# Partial checks, with the real proctor: a small assignment and one's own copy of the reference.
make_own() {
    unset PARAGRADE_PROCTOR
    mkdir me
    cp "$REPO"/reference/gemm/{naive,openmp}.c "$REPO"/reference/gemm/*.h me/
    sed -e "s|\.\./\.\./|$REPO/|; s/sizes: .128./sizes: [64, 96]/" \
        "$REPO/tests/fixtures/small.yaml" >own.yaml
}

column() { # FILE NAME: the fields of a column
    awk -F, -v name="$2" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = i; next }
        { print $at }' "$1" | tr -d '\r' | sort -u | paste -sd ' '
}

@test "check: a part that does not exist is refused, with those that do" {
    run -2 "$PARAGRADE" check -a a.yaml --reports r --case 9999 subs/alice
    assert_output --partial 'possible: 0 to '
    run -2 "$PARAGRADE" check -a a.yaml --reports r --case -1 subs/alice
    run -2 "$PARAGRADE" check -a a.yaml --reports r --case x subs/alice
    assert_output --partial -- '--case'
    run -2 "$PARAGRADE" check -a a.yaml --reports r --size 77 subs/alice
    assert_output --partial 'no tier is timed at 77; possible: '
    run -2 "$PARAGRADE" check -a a.yaml --reports r --size 7x7 subs/alice
    run -2 "$PARAGRADE" check -a a.yaml --reports r --threads 77 subs/alice
    assert_output --partial 'no tier runs with 77; possible: 1'
    run -2 "$PARAGRADE" check -a a.yaml --reports r --threads 0 subs/alice
    run -2 "$PARAGRADE" check -a "$REPO/tests/fixtures/small.yaml" --reports r --tier naive --threads 2 subs/alice
    assert_output --partial 'the tier naive never runs with 2'
    run -2 "$PARAGRADE" check -a a.yaml --reports r --size 256 --no-timing subs/alice
    assert [ ! -e r ]
}

@test "check: --case checks one case, and gives no points" {
    make_own
    run -0 "$PARAGRADE" check -q -a own.yaml --tier naive --reports r --case 6 me
    assert_output --partial 'This check was partial (case 6, not timed), so it gives no points'
    refute_output --partial 'points
' # of a tier
    assert_equal "$(column r/*/cases.csv case)" 6
    assert_equal "$(column r/*/units.csv max_points)" ''
    assert_equal "$(column r/*/grades.csv total_points)" 0
    run cat r/*/grades.csv
    assert_output --partial 'only a part was checked'
    run -0 "$PARAGRADE" report r/*
    assert_output --partial 'partial: case 6, not timed; no points'
    run -0 bash -c "'$PARAGRADE' report --json r/* | jq -r '.partial'"
    assert_output 'case 6, not timed'
    run -0 "$PARAGRADE" verify r/*
    run -0 "$PARAGRADE" replay r/* me.naive 6
}

@test "check: --case leaves out tiers that have other cases" {
    make_own
    sed -i '/- name: openmp/a \    shapes: square' own.yaml
    run -0 "$PARAGRADE" check -q -a own.yaml --reports r --case 1 me
    refute_output --partial 'openmp'
    run -2 "$PARAGRADE" check -q -a own.yaml --reports r --tier openmp --case 1 me
    assert_output --partial "there is no tier 'openmp'"
}

@test "check: --threads and --no-timing" {
    make_own
    run -0 "$PARAGRADE" check -q -a own.yaml --reports r --threads 2 --no-timing me
    assert_output --partial '2 threads, not timed'
    refute_output --partial 'Naive'
    assert_equal "$(column r/*/cases.csv threads)" 2
    assert_equal "$(column r/*/cases.csv kind)" 'edge random'
}

@test "check: --size times one size" {
    make_own
    run -0 "$PARAGRADE" check -q -a own.yaml --tier naive --reports r --size 96 me
    assert_output --partial 'size 96'
    assert_equal "$(column r/*/speedup.csv size)" 96
    refute_output --regexp '[+][0-9.]+ points'
}

@test "check: after Ctrl-C, what was found so far is there" {
    printf '#!/bin/sh\ncase "$*" in *alice.openmp*) export FAKE_SLEEP=60 ;; esac\nexec %s "$@"\n' \
        "$PARAGRADE_PROCTOR" >proctor
    chmod +x proctor
    export PARAGRADE_PROCTOR=$PWD/proctor
    env --default-signal=INT "$PARAGRADE" check -q -a a.yaml subs/alice >out.txt 2>&1 3>&- &
    WATCHER=$!
    wait_until 20 compgen -G "$TMPDIR/paragrade-*/*/units/alice.naive/result.json"
    kill -INT "$WATCHER"
    wait "$WATCHER" || [ $? = 3 ]
    run cat out.txt
    assert_line --regexp '^naive  pass'
    assert_line 'openmp  not run yet'
    assert_line stopped
}

seen() { [ "$(grep -c 'checked at' err.txt)" -ge "$1" ]; }

@test "check: --watch checks again after a change of a source, until Ctrl-C" {
    env --default-signal=INT "$PARAGRADE" check -q --watch -a a.yaml subs/alice >out.txt 2>err.txt 3>&- &
    WATCHER=$!
    wait_until 20 seen 1
    echo 'int y;' >subs/alice/README.txt # is no source
    echo 'int y;' >subs/alice/new
    mv subs/alice/new subs/alice/naive.c # as some editors save
    wait_until 20 seen 2
    echo 'int z;' >subs/alice/naive.c
    wait_until 20 seen 3
    kill -INT "$WATCHER"
    wait "$WATCHER"
    assert_equal "$(grep -c 'checked at [0-9][0-9]:[0-9][0-9]:[0-9][0-9]' err.txt)" 3
}

@test "check: --watch ends at once with bad arguments" {
    run -2 timeout 20 "$PARAGRADE" check --watch -a a.yaml --case 9999 subs/alice
    run -2 timeout 20 "$PARAGRADE" check --watch -a a.yaml nowhere
}

gone() { [ "$(grep -c '^subs/alice is gone; waiting until it is there again' err.txt)" = "$1" ]; }

@test "check: --watch goes on when the last source or the directory is gone for a while" {
    env --default-signal=INT "$PARAGRADE" check -q --watch -a a.yaml --tier naive subs/alice >out.txt 2>err.txt 3>&- &
    WATCHER=$!
    wait_until 20 seen 1
    rm subs/alice/*.c
    wait_until 20 seen 2
    grep -q 'holds neither source files' err.txt
    echo 'int y;' >subs/alice/naive.c
    wait_until 20 seen 3
    mv subs/alice subs/aside
    wait_until 20 gone 1
    mv subs/aside subs/alice
    wait_until 20 seen 4
    echo 'int z;' >subs/alice/naive.c
    wait_until 20 seen 5
    rm -r subs/alice
    wait_until 20 gone 2
    kill -INT "$WATCHER"
    wait "$WATCHER"
}

@test "check: says that it builds, and how long measuring the node takes" {
    load ../helpers/terminal
    unset PARAGRADE_PROCTOR
    cd "$BATS_TEST_TMPDIR"
    PARAGRADE_CACHE=$PWD/none on_terminal 24x80 out "$PARAGRADE" check --reports runs --tier naive \
        "$REPO/student_impls/alice"
    run -0 shown out
    assert_line --regexp '^alice +building$'
    assert_line --regexp '0/1  alice\.naive: building$'
    assert_line --regexp '0/1  alice\.naive: measuring this node, about [0-9]+ s$'
}

@test "check: an endless loop is named while it runs, with its seconds" {
    make_own
    cat >me/naive.c <<'C'
#include "gemm.h"
void gemm_i32(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C)
{
    for (volatile int i = 0; M == 7; i++) { }
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++) {
            int sum = 0;
            for (int k = 0; k < K; k++)
                sum += A[(size_t)i * K + k] * B[(size_t)k * N + j];
            C[(size_t)i * N + j] = sum;
        }
}
C
    sed -i 's/case: 2s/case: 8s/' own.yaml
    run --separate-stderr -1 "$PARAGRADE" check -a own.yaml --tier naive --no-timing me
    # shellcheck disable=SC2154
    grep -qE '^0/1  me\.naive: checking case [0-9]+ \(7x7x7\), [2-7] s of at most 8 s$' <<<"$stderr"
}

@test "check: says which size is timed, and in which start" {
    make_own
    run --separate-stderr -0 "$PARAGRADE" check -a own.yaml --tier naive --full --reports r me
    run grep -rhE '^stage: timing (64|96), start [1-4] of 4$' r
    [ "${#lines[@]}" -ge 2 ]
}
