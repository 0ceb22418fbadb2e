#!/usr/bin/env bats
# shellcheck disable=SC2154,SC2016
# paragrade resume on this machine.

setup() {
    load ../helpers/common
    load ../helpers/class
    make_class
}

@test "resume: wrong arguments" {
    run "$PARAGRADE" resume
    assert_failure 2
    run "$PARAGRADE" resume a b
    assert_failure 2
    run "$PARAGRADE" resume nowhere
    assert_failure 2
    assert_output --partial 'nowhere: no such run directory'
    run "$PARAGRADE" resume subs
    assert_failure 2
    assert_output --partial 'no plan.json'
}

@test "resume: a damaged run directory is named" {
    "$PARAGRADE" grade -q -a a.yaml --run-id r subs >/dev/null
    echo '{' >reports/r/plan.json
    run "$PARAGRADE" resume r
    assert_failure 2
    assert_output --partial 'plan.json'
}

@test "resume: a finished run stays as it is" {
    "$PARAGRADE" grade -q -a a.yaml --run-id r subs >/dev/null
    touch -d '2001-01-01' reports/r/units/*/result.json
    run "$PARAGRADE" resume r
    assert_success
    assert_equal "$(find reports/r/units -name result.json -newermt 2002-01-01 | wc -l)" 0
    assert_graded reports/r
}

@test "resume: a finished run keeps its digest, whatever the options" {
    local kept
    "$PARAGRADE" grade -q -a a.yaml --run-id r subs >/dev/null
    kept=$(sha256sum <reports/r/receipts.json)
    run -0 "$PARAGRADE" resume -q -j 2 r
    run -0 "$PARAGRADE" verify --digest "${kept%% *}" r
}

@test "resume: a report job that is cancelled leaves the run to the front end, also when it ends" {
    "$PARAGRADE" grade -q -a a.yaml --run-id r subs >/dev/null
    echo '{"boot":"1","host":"elsewhere","pid":1,"start":"1"}' >reports/r/lock # not stale yet
    "$PARAGRADE" resume --from-job reports/r >out 2>&1 3>&- &
    job=$!
    # It has seen the lock, and waits.
    waits() { grep -q nanosleep "/proc/$job/wchan"; }
    wait_until 10 waits
    kill $job
    rm reports/r/lock
    wait $job
    run cat out
    assert_output --partial 'left to it'
}

@test "resume: after kill -9 at any moment, no unit is lost and none is graded twice" {
    for delay in 0.02 0.1 0.3 0.5 0.7; do
        rm -rf reports
        FAKE_SLEEP=0.2 "$PARAGRADE" grade -q -a a.yaml --run-id k subs >/dev/null 2>&1 &
        pid=$!
        sleep $delay
        kill -9 $pid
        wait $pid || true
        [ -e reports/k/plan.json ] || continue
        run "$PARAGRADE" resume -q k
        assert_success
        assert_graded reports/k
        # A run directory is whole or not there.
        assert_equal "$(find reports -maxdepth 1 -name 'k*' | wc -l)" 1
    done
}

@test "resume: the original files are needed no more" {
    FAKE_STATUS='alice.simd:75' run "$PARAGRADE" grade -q -a a.yaml --run-id r subs
    assert_failure 1
    rm -rf subs ref a.yaml
    run "$PARAGRADE" resume r
    assert_success
    assert_graded reports/r
}

@test "resume: one driver at a time; a dead one is replaced at once" {
    FAKE_SLEEP=5 "$PARAGRADE" grade -q -a a.yaml --run-id l subs >/dev/null 2>&1 &
    pid=$!
    wait_until 10 test -e reports/l/lock
    run "$PARAGRADE" resume l
    assert_failure 1
    assert_output --partial "process $pid on"
    kill -9 $pid
    wait $pid || true
    assert [ -e reports/l/lock ]
    run "$PARAGRADE" resume -q -j 8 l
    assert_success
    assert_graded reports/l
}

@test "resume: whoever has lost the lock writes no reports" {
    FAKE_SLEEP=1 "$PARAGRADE" grade -q -j 12 -a a.yaml --run-id r subs >out 2>&1 3>&- &
    pid=$!
    wait_until 10 test -e reports/r/lock
    echo '{"boot":"1","host":"elsewhere","pid":1,"start":"1"}' >reports/r/lock
    wait $pid && fail "it has not noticed"
    run cat out
    assert_output --partial 'another process has taken over the lock of the run'
    assert [ ! -e reports/r/grades.csv ]
    assert [ -e reports/r/lock ]
}

@test "resume: every call has its retries" {
    FAKE_DIE='*.simd' run "$PARAGRADE" grade -q -a a.yaml --run-id r subs
    assert_failure 1
    FAKE_DIE='*.simd' run "$PARAGRADE" resume -q r
    assert_failure 1
    assert_equal "$(find reports/r/units/alice.simd -name 'infra-*.json' | wc -l)" 6
    run "$PARAGRADE" resume -q r
    assert_success
    assert_graded reports/r
}

@test "resume: told to end at any moment, it takes its lock away" {
    "$PARAGRADE" grade -q -a a.yaml --run-id r subs >/dev/null
    for ms in {0..14}; do
        for part in 0 3 6; do
            "$PARAGRADE" resume -q r >/dev/null 2>&1 3>&- &
            sleep "0.0$(printf '%02d' "$ms")$part"
            kill -TERM $! 2>/dev/null || true
            wait $! || true
            assert [ ! -e reports/r/lock ]
        done
    done
}

@test "resume: a unit that has used up its attempts has ended, for every command" {
    sed -i 's/{name: simd, /&points: {correct: 10}, /' a.yaml
    FAKE_DIE='alice.simd' run -1 "$PARAGRADE" grade -q -a a.yaml --run-id r subs
    for command in report 'rescore --assignment b.yaml'; do
        sed 's/^name: demo/&\ntitle: Another/' a.yaml >b.yaml
        # shellcheck disable=SC2086
        run "$PARAGRADE" $command r
        run -0 grep '^alice,simd,infra-error,' reports/r/units.csv
    done
    run -0 "$PARAGRADE" status r
    assert_line --index 0 'reports/r: 11 of 11 units done, 1 known without running'
    assert_line --regexp '^verdicts: .*infra-error 1'
    run "$PARAGRADE" export --junit x.xml r
    assert_success
    assert [ -s x.xml ]
    run -0 "$PARAGRADE" prune --keep 0 --dry-run
    refute_output --partial 'not finished'
    # Unlike one that has more attempts.
    rm reports/r/units/alice.naive/result.json
    run -3 "$PARAGRADE" export --junit y.xml r
    assert_output --partial 'not finished'
}

@test "resume: a full disk is named, with what to do; afterwards nothing is lost" {
    unshare -rm true 2>/dev/null || skip "no namespaces here"
    mkdir small
    # 40 KiB: no run fits; 160 KiB: units, but not all tables.
    # The device is named: else mount repeats the owner's number, which does not exist in there.
    run -0 unshare -rm bash -c "
        resize() { mount -t tmpfs -o remount,size=\$1 tmpfs \"\$PWD/small\"; }
        mount -t tmpfs -o size=40k tmpfs small
        ! '$PARAGRADE' grade -q -a a.yaml --reports small --run-id r subs || exit 1
        resize 160k
        ! '$PARAGRADE' grade -q -a a.yaml --reports small --run-id r subs || exit 1
        resize 9m
        '$PARAGRADE' resume -q small/r && '$PARAGRADE' verify small/r
        resize 9m && rm -r small/r && mkdir small/tmp && export TMPDIR=\$PWD/small/tmp
        resize 16k
        ! '$PARAGRADE' check -q -a a.yaml subs/alice"
    assert_line --index 0 --partial 'cannot write: No space left on device'
    assert_line --index 1 '  Free space, then try again'
    assert_line --index 2 --partial 'cannot write: No space left on device'
    assert_line --index 3 '  Free space, then paragrade resume small/r'
    assert_line --index -1 '  Free space, then try again'
    assert_output --partial 'wrong-answer'
}
