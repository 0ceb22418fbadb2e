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

@test "check: the quick profile unless --full is given" {
    "$PARAGRADE" check -q -a a.yaml --reports r1 subs/alice >/dev/null
    run cat r1/*/plan.json
    assert_output --partial '"profile": "quick"'
    "$PARAGRADE" check -q -a a.yaml --full --reports r2 subs/alice >/dev/null
    run cat r2/*/plan.json
    assert_output --partial '"profile": ""'
}

@test "check: runs go to a directory of one's own, and old ones go away" {
    for _ in 1 2 3 4 5 6 7 8 9 10 11 12; do
        "$PARAGRADE" check -q -a a.yaml --tier naive subs/alice >/dev/null
    done
    dir=$TMPDIR/paragrade-$(id -u)
    assert_equal "$(stat -c %a "$dir")" 700
    assert_equal "$(find "$dir" -mindepth 1 -maxdepth 1 | wc -l)" 10
    assert [ ! -e reports ]
}

@test "check: a directory that others may write to is refused" {
    mkdir -m 777 "$TMPDIR/paragrade-$(id -u)"
    chmod 777 "$TMPDIR/paragrade-$(id -u)"
    run "$PARAGRADE" check -a a.yaml subs/alice
    assert_failure 1
    assert_output --partial 'not a directory of yours alone'
}

@test "check: the real proctor on a copy of the reference" {
    unset PARAGRADE_PROCTOR
    mkdir me
    cp "$REPO"/reference/gemm-i32/locality.c "$REPO"/reference/gemm-i32/*.h me/
    run "$PARAGRADE" check -a "$REPO/testcases/gemm-i32.yaml" --tier naive --tier locality me
    assert_success
    assert_output --partial 'pass'
    assert_output --partial 'missing'
}

@test "check: a terminal shows what is going on, from the first second" {
    unset PARAGRADE_PROCTOR
    mkdir me
    cp "$REPO"/reference/gemm-i32/naive.c me/
    export PARAGRADE_CACHE=$BATS_TEST_TMPDIR/cache # the node is not known
    script -qec "stty cols 60; '$PARAGRADE' check -a '$REPO/tests/fixtures/small.yaml' --tier naive me" terminal </dev/null
    run tr '\r' '\n' <terminal
    assert_line --partial 'me.naive: building'
    assert_line --partial 'me.naive: measuring this'
    assert_line --partial 'me.naive: timing'
    # A bar on two lines could not be cleared.
    assert_equal "$(tr '\r' '\n' <terminal | sed -n '/me.naive/s/\x1b\[K//gp' |
        awk 'length($0) > 59' | head -n 1)" ''
}
