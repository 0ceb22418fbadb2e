#!/usr/bin/env bats
# shellcheck disable=SC2154,SC2016
# paragrade status without Slurm.

setup() {
    load ../helpers/common
    load ../helpers/class
    make_class
}

@test "status: wrong arguments" {
    TMPDIR=$PWD run -2 "$PARAGRADE" status # the user's self-tests do not matter
    run "$PARAGRADE" status --nope x
    assert_failure 2
    run "$PARAGRADE" status nowhere
    assert_failure 2
    assert_output --partial 'no such run directory'
}

@test "status: a finished run" {
    "$PARAGRADE" grade -q -a a.yaml --run-id r subs >/dev/null
    run "$PARAGRADE" status r
    assert_success
    assert_line --index 0 'reports/r: 11 of 11 units done, 1 known without running'
    refute_output --partial 'has a result'
    assert_output --partial 'pass 9'
    run --separate-stderr "$PARAGRADE" status --json reports/r
    assert_success
    assert_equal "$stderr" ''
    assert_output --partial '"done": 12'
    assert_output --partial '"slurm": "unused"'
}

@test "status: in mid-run and after a stop; it changes nothing" {
    FAKE_SLEEP=30 "$PARAGRADE" grade -q -a a.yaml --run-id r subs >/dev/null 2>&1 &
    pid=$!
    wait_until 10 compgen -G 'reports/r/units/*/attempt-*.json'
    run "$PARAGRADE" status r
    assert_failure 3
    assert_output --partial 'a process drives the run'
    assert_output --regexp 'running +[123] ' # one may be building, and one be checked
    kill -TERM $pid
    wait $pid || true
    before=$(find reports/r | sort)
    run "$PARAGRADE" status r
    assert_failure 3
    assert_output --partial 'to continue: paragrade resume reports/r'
    refute_line --regexp '^ *running'
    assert_equal "$(find reports/r | sort)" "$before"
}

@test "status: how long it will still take, once there are results" {
    FAKE_SLEEP=0.05 "$PARAGRADE" grade -q -a a.yaml --run-id r subs >/dev/null
    rm reports/r/units/alice.*/result.json
    run "$PARAGRADE" status r
    assert_failure 3
    refute_output --partial 'left:' # nothing runs
    assert_equal "$("$PARAGRADE" status --json r | jq .seconds_left)" null
    FAKE_SLEEP=30 "$PARAGRADE" resume -q r >/dev/null 2>&1 &
    pid=$!
    under_way() { "$PARAGRADE" status --json r | jq -e '.units.running > 0'; }
    wait_until 20 under_way
    # The results say 0.2 s.
    run "$PARAGRADE" status r
    assert_output --regexp 'about 0 s left: a unit takes 0\.2 s, the mean so far; [1-3] runs? now'
    kill -TERM $pid
    wait $pid || true
}

@test "status: a damaged result is no reason to fail" {
    "$PARAGRADE" grade -q -a a.yaml --run-id r subs >/dev/null
    echo '{' >reports/r/units/alice.simd/result.json
    run "$PARAGRADE" status r
    assert_success
}

@test "status: a terminal of 80 columns shows each unit" {
    load ../helpers/terminal
    "$PARAGRADE" grade -q -a a.yaml --run-id r subs >/dev/null
    on_terminal 24x80 out "$PARAGRADE" status r
    run -0 shown out
    assert_line --regexp '^alice +pass +pass +pass$'
    assert_line --regexp '^wrong +wrong-answer +missing +wrong-answer$'
    [ "$(widest out)" -le 80 ]
    # Elsewhere it is short.
    run -0 "$PARAGRADE" status r
    refute_output --regexp 'alice'
}

@test "status: what each unit is doing, for programs" {
    FAKE_SLEEP=30 FAKE_STAGE='checking results' "$PARAGRADE" grade -q -a a.yaml --run-id r subs >/dev/null 2>&1 &
    pid=$!
    wait_until 20 compgen -G 'reports/r/units/*/attempt-*.json'
    begun() { "$PARAGRADE" status --json r | jq -e '.each | any(.now == "checking")'; }
    wait_until 20 begun
    run "$PARAGRADE" status --json r
    assert_equal "$(jq -c '.each[0]' <<<"$output")" \
        '{"unit":"reference.naive","submission":"reference","tier":"naive","state":"running","now":"checking"}'
    assert_equal "$(jq -c '.each[] | select(.unit == "wrong.simd") | [.state, .now]' <<<"$output")" \
        '["done","missing"]'
    assert_equal "$(jq '.each | length' <<<"$output")" 12
    kill -TERM $pid
    wait $pid || true
}

@test "status: from another directory; a name that nothing has" {
    "$PARAGRADE" grade -q -a a.yaml --run-id autumn subs >/dev/null
    top=$PWD
    run -2 "$PARAGRADE" status autum
    assert_output --partial "did you mean 'autumn'?"
    run -2 "$PARAGRADE" status reports/autum
    assert_output --partial 'no such run directory'
    mkdir elsewhere && cd elsewhere
    run -0 "$PARAGRADE" status "$top/reports/autumn"
    run -0 "$PARAGRADE" status ../reports/autumn/
    run -2 "$PARAGRADE" status autumn
    assert_output --partial 'From another directory, give the path of the run'
}

@test "status: an array whose units are all in later ones is gone, and each unit counts once" {
    "$PARAGRADE" grade -q -a a.yaml --run-id r subs >/dev/null
    mkdir -p reports/r/slurm bin
    local n=0 units
    for units in '"alice.naive", "alice.simd"' '"wrong.naive", "c%20d.naive"' '"alice.naive"' '"alice.simd"'; do
        n=$((n + 1))
        printf '{"name": "pg-r-%s", "elements": 1, "throttle": 0, "units": [%s]}' $n "$units" >reports/r/slurm/array-$n.json
        echo $((100 + n)) >reports/r/slurm/array-$n.job
    done
    printf '#!/bin/sh\n' >bin/squeue
    cp bin/squeue bin/scontrol
    chmod +x bin/*
    PATH=$PWD/bin:$PATH run -0 "$PARAGRADE" status --json r
    assert_equal "$(jq -c '[.arrays[] | [.array, .units, .done]]' <<<"$output")" '[[2,2,2],[3,1,1],[4,1,1]]'
}

@test "status: the bar and status count the same units" {
    "$PARAGRADE" grade -q -a a.yaml --run-id r subs >/dev/null
    rm reports/r/units/alice.*/result.json
    run "$PARAGRADE" status r
    assert_output --partial '8 of 11 units done, 1 known without running'
    run --separate-stderr -0 "$PARAGRADE" resume r
    # shellcheck disable=SC2154
    grep -qE '^8/11  ' <<<"$stderr"
    grep -qE '^11/11  ' <<<"$stderr"
}
