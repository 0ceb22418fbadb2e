#!/usr/bin/env bats
# What people need not type: the newest run, the directory they are in, several tiers at once.

setup() {
    load ../helpers/common
    load ../helpers/class
    make_class
    export TMPDIR=$BATS_TEST_TMPDIR/tmp
    mkdir "$TMPDIR"
}

@test "short commands: the newest run is meant where none is named, and it is named then" {
    local command
    for command in status report verify collect resume regrade rescore 'export --junit x.xml'; do
        # shellcheck disable=SC2086
        run -2 "$PARAGRADE" $command
        assert_output --partial 'there is no run in reports/ here'
    done
    "$PARAGRADE" grade -q -a a.yaml --run-id first subs >/dev/null 2>&1
    "$PARAGRADE" grade -q -a a.yaml --run-id second subs >/dev/null 2>&1
    for command in status report verify collect resume 'regrade -n' 'rescore -n' 'export --junit x.xml'; do
        # shellcheck disable=SC2086
        run "$PARAGRADE" $command
        [ "$status" -ne 2 ]
        assert_line 'the newest run: second'
    done
    touch reports/first/plan.json
    run "$PARAGRADE" status
    assert_line 'the newest run: first'
    run -2 "$PARAGRADE" status first second
    assert_output --partial 'give one run at most'
}

@test "short commands: a self-test is looked at, but neither changed nor handed on" {
    "$PARAGRADE" grade -q -a a.yaml --run-id graded subs >/dev/null 2>&1
    "$PARAGRADE" check -q -a a.yaml subs/alice >/dev/null 2>&1
    run "$PARAGRADE" status
    assert_line --regexp '^the newest run: demo-'
    run "$PARAGRADE" verify
    assert_line 'the newest run: graded'
}

@test "short commands: several tiers, with commas or one by one" {
    run "$PARAGRADE" check -q -a a.yaml -t simd,openmp subs/alice
    refute_output --partial naive
    assert_output --partial openmp
    run "$PARAGRADE" check -q -a a.yaml -t simd -t naive subs/alice
    refute_output --partial openmp
    run -2 "$PARAGRADE" check -q -a a.yaml -t simd,nope subs/alice
    assert_output --partial "there is no tier 'nope'"
    run -0 "$PARAGRADE" cases -a a.yaml -t simd,openmp -p quick
    run -2 "$PARAGRADE" cases -t simd,nope a.yaml
    assert_output --partial "no tier 'nope'"
    PARAGRADE_ASSIGNMENT=a.yaml run -0 "$PARAGRADE" cases
}
