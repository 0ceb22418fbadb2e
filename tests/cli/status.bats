#!/usr/bin/env bats
# shellcheck disable=SC2154,SC2016
# paragrade status without Slurm.

bats_require_minimum_version 1.5.0

setup() {
    bats_load_library bats-support
    bats_load_library bats-assert
    load ../helpers/class
    make_class
}

@test "status: wrong arguments" {
    run "$paragrade" status
    assert_failure 2
    run "$paragrade" status --nope x
    assert_failure 2
    run "$paragrade" status nowhere
    assert_failure 2
    assert_output --partial 'no such run directory'
}

@test "status: a finished run" {
    "$paragrade" grade -q -a a.yaml --run-id r subs >/dev/null
    run "$paragrade" status r
    assert_success
    assert_output --partial '12 of 12 units done'
    assert_output --partial 'pass 9'
    run --separate-stderr "$paragrade" status --json reports/r
    assert_success
    assert_equal "$stderr" ''
    assert_output --partial '"done": 12'
    assert_output --partial '"slurm": "unused"'
}

@test "status: in mid-run and after a stop; it changes nothing" {
    FAKE_SLEEP=30 "$paragrade" grade -q -a a.yaml --run-id r subs >/dev/null 2>&1 &
    pid=$!
    wait_for 10 compgen -G 'reports/r/units/*/attempt-*.json'
    run "$paragrade" status r
    assert_failure 3
    assert_output --partial 'a process drives the run'
    assert_output --regexp 'running +1 '
    kill -TERM $pid
    wait $pid || true
    before=$(find reports/r | sort)
    run "$paragrade" status r
    assert_failure 3
    assert_output --partial 'to continue: paragrade resume reports/r'
    refute_output --partial 'running'
    assert_equal "$(find reports/r | sort)" "$before"
}

@test "status: a damaged result is no reason to fail" {
    "$paragrade" grade -q -a a.yaml --run-id r subs >/dev/null
    echo '{' >reports/r/units/alice.simd/result.json
    run "$paragrade" status r
    assert_success
}
