#!/usr/bin/env bats
# The simulator of the rules of measuring, in short form. `make simulate` is the long one.

load ../helpers/common

setup() {
    cd "$REPO" || exit 1
    simulate=${PARAGRADE_BUILD:-build}/tests/simulate/simulate
}

@test "simulate: the rules meet their goals in every world" {
    run "$simulate" --gradings 300
    assert_success
    assert_line --partial ', 300 gradings each: 0 goals missed'
}

@test "simulate: goals are missed by rules that are given too little time" {
    run "$simulate" --gradings 100 --world noisy --budget 0.05 --precision 0.5
    assert_failure 1
    refute_line --partial ': 0 goals missed'
}

@test "simulate: wrong arguments" {
    for arguments in '--world nowhere' '--gradings 0' '--gradings' '--budget none' '-x 1'; do
        # shellcheck disable=SC2086 # words
        run "$simulate" $arguments
        assert_failure 2
    done
}
