#!/usr/bin/env bats
# shellcheck disable=SC2154
# Commands that use one run at the same time: what one has changed, no other one changes back.

setup() {
    load ../helpers/common
    load ../helpers/class
    make_class
    sed -i 's/{name: simd, /&points: {correct: 10}, /' a.yaml
    sed 's/correct: 10/correct: 7/' a.yaml >b.yaml
    "$PARAGRADE" grade -q -a a.yaml --run-id r subs >/dev/null
}

most() { # the column total_max_points of alice
    sed -nE 's/^alice,.*,([0-9]+),100,0,.*/\1/p' reports/r/grades.csv
}

@test "overlap: what another command changes before the run is locked is not lost" {
    gcc -shared -fPIC -O1 -o before_lock.so "$BATS_TEST_DIRNAME/../helpers/before_lock.c"
    mv reports/r whole
    local command
    while IFS='|' read -r command points changes; do
        cp -r whole reports/r
        # shellcheck disable=SC2086 # words
        run -0 env BEFORE_LOCK="'$PARAGRADE' rescore -a b.yaml r >/dev/null 2>&1" \
            LD_PRELOAD="$PWD/before_lock.so" ASAN_OPTIONS=verify_asan_link_order=0 "$PARAGRADE" $command
        echo "$command"
        assert_equal "$(most)" "$points"
        [[ $command != rescore* ]] || assert_line --partial '2 of 3 submissions have other points'
        assert_equal "$(ls -m reports/r/earlier)" "$changes"
        run -0 "$PARAGRADE" verify r
        rm -r reports/r
    done <<'COMMANDS'
resume -q r|7|1
regrade -q --only alice.simd r|7|1, 2
rescore -a a.yaml r|10|1, 2
report r|7|1
COMMANDS
}

elsewhere() { # another host is working on the run
    echo '{"boot":"1","host":"elsewhere","pid":7,"start":"1"}' >reports/r/lock
}

@test "overlap: while another process is working on a run, it can be reported, but nothing is written" {
    local files form status
    rm reports/r/*.csv reports/r/receipts.json reports/r/units/alice.naive/result.json
    elsewhere
    files=$(find reports | sort)
    while IFS='|' read -r form status says; do
        # shellcheck disable=SC2086 # words
        run -"$status" "$PARAGRADE" $form r
        assert_line --index 0 --regexp \
            '^paragrade report: no files are written: /.*: process 7 on elsewhere is working on this run'
        assert_output --partial "$says"
        assert_equal "$(find reports | sort)" "$files"
    done <<'FORMS'
report|0|10.0
report --json|0|"alice.naive"
report --student alice|0|simd
report --csv-only|3|11 of 12 units have a result
FORMS
    # Who is not up to date is told so, also when all units have results.
    rm reports/r/lock
    run -0 "$PARAGRADE" resume -q r
    elsewhere
    run -3 "$PARAGRADE" report --csv-only r
    assert_output --partial '12 of 12'
    rm reports/r/lock
    run -0 "$PARAGRADE" report --csv-only r
    assert_output '12 of 12 units have a result'
}

@test "overlap: a run that can only be read is reported" {
    [ "$(id -u)" = 0 ] || skip 'only root can become another user'
    chmod 755 "$BATS_RUN_TMPDIR" "$BATS_RUN_TMPDIR/test" "$BATS_TEST_TMPDIR"
    chmod -R go+rX reports
    local other=(setpriv --reuid 65534 --clear-groups)
    "${other[@]}" test -r "$PWD/reports/r/plan.json" || skip 'another user cannot come here'
    run -0 --separate-stderr "${other[@]}" "$PARAGRADE" report "$PWD/reports/r"
    assert_output "$("$PARAGRADE" report r)"
    # shellcheck disable=SC2154
    assert_equal "$stderr" \
        "paragrade report: no files are written: $PWD/reports/r: cannot be written to: Permission denied"
    run -1 "${other[@]}" "$PARAGRADE" report --csv-only "$PWD/reports/r"
    assert_output --partial 'Permission denied'
}

@test "overlap: regrade holds the lock until the units have run again" {
    command -v strace >/dev/null || skip 'needs strace'
    ASAN_OPTIONS=detect_leaks=0 strace -e trace=unlink -o trace.txt \
        "$PARAGRADE" regrade -q --only alice.simd r
    assert_equal "$(grep -c '/reports/r/lock"' trace.txt)" 1
}

# A report is over soon. But a report job that gave up would leave the run unfinished.
@test "overlap: while a run is only being reported, other commands wait" {
    local command pid code
    for command in resume rescore 'resume --from-job' report; do
        echo '{"boot":"1","host":"elsewhere","pid":7,"reports":true,"start":"1"}' >reports/r/lock
        # shellcheck disable=SC2086 # words
        "$PARAGRADE" $command r >out 2>&1 3>&- &
        pid=$!
        sleep 0.5
        kill -0 $pid
        rm reports/r/lock reports/r/grades.csv
        wait $pid
        assert [ -e reports/r/grades.csv ]
    done
    echo '{"boot":"1","host":"elsewhere","pid":7,"reports":true,"start":"1"}' >reports/r/lock
    env --default-signal=INT "$PARAGRADE" resume r >out 2>&1 3>&- &
    pid=$!
    wait_until 10 grep -q 'waiting: ' out
    kill -INT $pid
    wait $pid && code=0 || code=$?
    assert_equal "$code" 1
    run -0 cat out
    assert_output --partial 'process 7 on elsewhere is writing the reports of this run'
    assert_output --partial 'waiting: '
    # Not for ever: that process may have been stopped.
    run -0 "$PARAGRADE" report r
    assert_output --partial 'no files are written: '
}

@test "overlap: report says that it holds the lock only to write reports" {
    command -v strace >/dev/null || skip 'needs strace'
    local command
    for command in report resume; do
        ASAN_OPTIONS=detect_leaks=0 strace -s 400 -e trace=write -o trace.txt "$PARAGRADE" $command r >out.txt
        run grep -c '\\"reports\\":true' trace.txt
        assert_output "$([ $command = resume ] && echo 0 || echo 1)"
    done
}

@test "overlap: verify finds no differences where another command writes the run meanwhile" {
    (for _ in {1..5}; do "$PARAGRADE" rescore r && "$PARAGRADE" regrade -q --only alice r || break; done
        touch ended) >/dev/null 2>&1 3>&- &
    until [ -e ended ]; do
        run "$PARAGRADE" verify r
        [ "$status" = 0 ] || assert_equal "$status" 3
    done
    wait
    assert [ -e reports/r/earlier/10 ]
}
