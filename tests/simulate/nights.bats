#!/usr/bin/env bats
# The rules that find changes in the history: 1,000 quiet nights, and planted slowdowns.

load ../helpers/common

setup() {
    cd "$REPO" || exit 1
    nights=${PARAGRADE_BUILD:-build}/tests/simulate/nights
}

@test "nights: no more false alarms than stated, and a slowdown of 10 % is found in time" {
    run "$nights"
    assert_success
    assert_line --index 0 --partial '1000 quiet nights, 44 series; stated: 0.1 false alarms a month'
    assert_line '11 worlds: 0 goals missed'
}

@test "nights: goals are missed with a threshold that is too low or too high" {
    run "$nights" --world tails --threshold 4.5
    assert_failure 1
    assert_line --regexp '^tails +[0-9]+!'
    run "$nights" --world normal --threshold 20 --nights 10
    assert_failure 1
    assert_line --regexp '^normal +[0-9]+ .*[0-9]!'
}

@test "nights: wrong arguments" {
    for arguments in '--world nowhere' '--nights 0' '--nights' '--false-alarms none' '-x 1'; do
        # shellcheck disable=SC2086 # words
        run "$nights" $arguments
        assert_failure 2
    done
}
