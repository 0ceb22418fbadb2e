#!/usr/bin/env bats
# shellcheck disable=SC2154,SC2119,SC2120
# Disks that are full or read-only, files that are damaged, clocks that jump, two graders on one run:
# on this machine, with a fake proctor. After each of these the run is sound.

setup() {
    load ../helpers/common
    load ../helpers/class
    load ../helpers/sound
    make_class
    own_scratch
}

teardown() {
    cd /
    mountpoint -q "$BATS_TEST_TMPDIR/reports" && umount -l "$BATS_TEST_TMPDIR/reports"
    return 0
}

needs_mount() { # OPTIONS: a small file system of its own for the runs
    [ "$(id -u)" = 0 ] || skip "mounting needs root"
    mkdir reports
    mount -t tmpfs -o "$1" tmpfs reports 2>/dev/null || skip "this machine does not let root mount"
}

grade() { "$PARAGRADE" grade -q -a a.yaml --run-id r "$@" subs; }
finished() { grade >/dev/null 2>&1 && sound reports/r; }

@test "damage: the disk is full, at any moment, until there is room again" {
    needs_mount size=256k,mode=700
    schedule full
    for _ in 1 2 3 4; do
        pick 0 4 8 12 20 40 60
        # All but so many KiB are taken.
        head -c "$(((256 - PICKED) * 1024))" /dev/zero >reports/ballast 2>/dev/null || true
        run grade
        if [ "$status" != 0 ]; then
            assert_output --partial 'No space left on device'
            # Never a table that looks whole and is not: nothing, or the words above.
            refute_output --partial 'tables:'
        fi
        rm reports/ballast
        assert [ -z "$(find reports -maxdepth 1 -name '.new-*')" ]
        if [ -e reports/r ]; then
            run "$PARAGRADE" resume -q r
            assert_success
            sound reports/r
            rm -r reports/r
        fi
    done
}

@test "damage: it gets full while units run" {
    needs_mount size=512k,mode=700
    schedule filling
    for _ in 1 2; do
        moment 50 600
        FAKE_SLEEP=0.1 "$PARAGRADE" grade -q -a a.yaml --run-id r subs >out 2>&1 3>&- &
        pid=$!
        sleep "$MOMENT"
        dd if=/dev/zero of=reports/ballast bs=1024 status=none 2>/dev/null || true
        wait $pid || true
        rm reports/ballast
        [ -e reports/r ] || continue
        run "$PARAGRADE" resume -q r
        assert_success
        sound reports/r
        rm -r reports/r
    done
}

@test "damage: the file system becomes read-only, and writable again" {
    needs_mount size=1m,mode=700
    mount -o remount,ro "$PWD/reports" || skip "no remounting here"
    run grade
    assert_failure 2
    assert_output --partial 'reports: '
    assert_output --partial 'Read-only file system'
    refute_output --partial '.new-'
    mount -o remount,rw "$PWD/reports"
    FAKE_SLEEP=0.5 "$PARAGRADE" grade -q -a a.yaml --run-id r subs >out 2>&1 3>&- &
    pid=$!
    wait_until 10 compgen -G 'reports/r/units/*/result.json'
    wait_until 10 mount -o remount,ro "$PWD/reports" # refused while a file is open for writing
    wait $pid && fail "it has not noticed"
    run cat out
    assert_output --partial 'Read-only file system'
    run "$PARAGRADE" resume -q r
    assert_failure 1
    mount -o remount,rw "$PWD/reports"
    run "$PARAGRADE" resume -q r
    assert_success
    sound reports/r
}

@test "damage: results that are cut off, empty, another's, or no files are made again" {
    finished
    : >reports/r/units/alice.naive/result.json
    head -c 40 reports/r/units/alice.simd/result.json >x
    mv x reports/r/units/alice.simd/result.json
    cp reports/r/units/wrong.naive/result.json reports/r/units/alice.openmp/result.json
    rm reports/r/units/wrong.naive/result.json
    mkdir reports/r/units/wrong.naive/result.json
    run "$PARAGRADE" resume -q r
    assert_success
    assert_output --partial 'moved aside'
    sound reports/r
    # Kept as evidence.
    assert_equal "$(find reports/r/units -name 'result.json.damaged' | wc -l)" 4
}

@test "damage: a result that stays damaged is no verdict, and ends" {
    finished
    cat >stubborn <<'P'
#!/bin/bash
for a; do case $last in --run) run=$a ;; --unit) unit=$a ;; esac; last=$a; done
echo '{' >"$run/units/$unit/result.json"
P
    chmod +x stubborn
    rm reports/r/units/alice.naive/result.json
    PARAGRADE_PROCTOR=$PWD/stubborn run "$PARAGRADE" resume -q r
    assert_failure 1
    run grep '^alice,naive' reports/r/units.csv
    assert_output --partial infra-error
    run "$PARAGRADE" resume -q r
    assert_success
    sound reports/r
}

@test "damage: the record of a node cannot be opened: no unit is timed without it" {
    local record unit=reports/r/units/alice.naive
    unset PARAGRADE_PROCTOR
    "$PARAGRADE" grade -q -a "$REPO/tests/fixtures/small.yaml" --tier naive --run-id r \
        "$REPO/student_impls/alice"
    record=$(echo reports/r/nodes/*.json)
    mv "$record" whole
    ln -s nowhere "$record"
    rm $unit/result.json
    run "$PARAGRADE" resume -q r
    assert_failure 1
    assert [ ! -e $unit/result.json ]
    run cat $unit/infra-*.json
    assert_output --partial "${record##*/}: No such file or directory"
    mv whole "$record"
    run "$PARAGRADE" resume -q r
    assert_success
    assert [ -e $unit/result.json ]
}

# Only the command that drives a run may move its results, and it holds the lock.
@test "damage: a damaged result is named, counts as missing and stays where it is" {
    local files
    finished
    echo '{' >reports/r/units/alice.simd/result.json
    files=$(ls reports/r/units/alice.simd)
    run -3 "$PARAGRADE" report --csv-only r
    assert_output --partial "alice.simd/result.json: is damaged"
    assert_output --partial "paragrade resume"
    assert_output --partial "11 of 12"
    assert_equal "$(ls reports/r/units/alice.simd)" "$files"
    run -0 "$PARAGRADE" resume -q r
    assert_output --partial "moved aside"
    assert [ -f reports/r/units/alice.simd/result.json.damaged ]
    run -0 "$PARAGRADE" report --csv-only r
}

@test "damage: plan and assignment are named, and nothing is overwritten" {
    finished
    for file in plan.json assignment.yaml; do
        cp "reports/r/$file" kept
        for size in 0 1 100; do
            head -c $size kept >"reports/r/$file"
            run "$PARAGRADE" resume -q r
            assert_failure 2
            assert_output --partial "$file"
        done
        cp kept "reports/r/$file"
    done
    sound reports/r
}

@test "damage: how the run was started is forgotten: said, with the way on" {
    finished
    rm reports/r/units/alice.naive/result.json
    for text in '' '{' '{"slurm": "yes"}' '[]'; do
        echo "$text" >reports/r/resume.json
        run "$PARAGRADE" resume -q r
        assert_failure 2
        assert_output --partial 'resume.json: is damaged'
        assert_output --partial 'remove the file and give the options to resume again'
    done
    rm reports/r/resume.json
    run "$PARAGRADE" resume -q r
    assert_success
    sound reports/r
}

@test "damage: the clock was set back an hour: failures of then do not count now" {
    FAKE_STATUS='alice.simd:75' grade >/dev/null 2>&1 && fail "it has a verdict"
    touch -d '1 hour' reports/r/units/alice.simd/infra-*.json reports/r/resume.json
    run "$PARAGRADE" resume -q r
    assert_success
    sound reports/r
}

@test "damage: the clock is set back while it runs: retries are bounded all the same" {
    cat >backwards <<'P'
#!/bin/bash
for a; do case $last in --run) run=$a ;; --unit) unit=$a ;; --attempt) tag=$a ;; esac; last=$a; done
echo x >>"$run/../tries"
echo '{"reason": "the past", "host": "", "when": ""}' >"$run/units/$unit/infra-$tag.json"
touch -d '2001-01-01' "$run/units/$unit/infra-$tag.json"
exit 75
P
    chmod +x backwards
    PARAGRADE_PROCTOR=$PWD/backwards run grade --tier naive
    assert_failure 1
    # Four submissions, three tries each.
    assert_equal "$(wc -l <reports/tries)" 12
}

# A command prefix: the wall clock jumps, for the command and all that it starts but drivers.
clock_jumps() {
    gcc -shared -fPIC -O1 -o jumping.so "$BATS_TEST_DIRNAME/../helpers/jumping_clock.c"
    jumping=(env "LD_PRELOAD=$PWD/jumping.so" ASAN_OPTIONS=verify_asan_link_order=0)
    # It does. The pauses differ, so that they cannot all fall on the same jump.
    local i
    for i in {1..20}; do
        "${jumping[@]}" date +%s
        sleep "0.00$((i % 9))"
    done >times.txt
    assert [ "$(sort -u times.txt | wc -l)" -ge 4 ]
}

@test "damage: the clock jumps back and forth while it runs, is killed, goes on" {
    clock_jumps
    FAKE_SLEEP=0.1 FAKE_STATUS='alice.simd:75' "${jumping[@]}" \
        "$PARAGRADE" grade -q -a a.yaml --run-id r subs >out 2>&1 3>&- &
    pid=$!
    wait_until 10 compgen -G 'reports/r/units/*/result.json'
    run "${jumping[@]}" "$PARAGRADE" status r
    assert_output --partial "a process drives the run"
    kill -9 $pid
    wait $pid || true
    run timeout 60 "${jumping[@]}" "$PARAGRADE" resume -q r
    assert_success
    sound reports/r
}

@test "damage: times are no matter of the wall clock" {
    unset PARAGRADE_PROCTOR
    clock_jumps
    run timeout 60 "${jumping[@]}" "$PARAGRADE" check -q -a "$REPO/tests/fixtures/small.yaml" \
        --tier naive --reports reports "$REPO/student_impls/alice"
    assert_success
    run jq '[.cases[].samples[].unit, .build_seconds, .total_seconds] |
        length >= 5 and all(. > 0 and . < 60)' reports/*/units/alice.naive/result.json
    assert_output true
}

@test "damage: the clock was set back a day: a self-test is not the oldest" {
    dir=$TMPDIR/paragrade-$(id -u)
    mkdir -m 700 "$dir"
    for i in 1 2 3 4 5 6 7 8 9 10 11; do mkdir "$dir/old-$i"; done
    touch -d '1 day' "$dir"/*
    run "$PARAGRADE" check -a a.yaml --tier naive subs/alice
    assert_success
    assert_equal "$(find "$dir" -name units.csv | wc -l)" 1
    assert_equal "$(find "$dir" -mindepth 1 -maxdepth 1 | wc -l)" 10
}

@test "damage: two graders on one run: one drives, the other says who" {
    FAKE_SLEEP=0.2 "$PARAGRADE" grade -q -a a.yaml --run-id r subs >out 2>&1 3>&- &
    pid=$!
    wait_until 10 test -e reports/r/lock
    run "$PARAGRADE" resume -q r
    assert_failure 1
    assert_output --partial "process $pid on"
    wait $pid
    sound reports/r
    assert_equal "$(find reports/r/units -name 'attempt-*' | wc -l)" 11
}

@test "damage: five graders find one run at the same moment, its driver dead" {
    schedule five
    for _ in 1 2 3; do
        moment 50 500
        FAKE_SLEEP=0.1 "$PARAGRADE" grade -q -a a.yaml --run-id r subs >out 2>&1 3>&- &
        pid=$!
        sleep "$MOMENT"
        kill -9 $pid || true
        wait $pid || true
        [ -e reports/r ] || continue
        pids=()
        for _ in 1 2 3 4 5; do
            FAKE_SLEEP=0.1 "$PARAGRADE" resume -q r >/dev/null 2>&1 3>&- &
            pids+=($!)
        done
        done=0
        for pid in "${pids[@]}"; do wait "$pid" && done=$((done + 1)); done
        assert [ $done -ge 1 ]
        sound reports/r
        rm -r reports
    done
}

@test "damage: what killed writers have left is cleared away" {
    finished
    touch reports/r/.tmp-999999999-1 reports/r/units/alice.naive/.tmp-999999999-1 \
        reports/r/lock.stale-999999999
    mkdir reports/.new-999999999-1 reports/.new-999999999-2
    touch -d '2 hours ago' reports/.new-999999999-1
    run "$PARAGRADE" resume -q r
    assert_success
    sound reports/r
    "$PARAGRADE" grade -q -a a.yaml --run-id next subs >/dev/null
    assert [ ! -e reports/.new-999999999-1 ]
    assert [ -e reports/.new-999999999-2 ] # somebody may be at work on it
}

@test "damage: rosters that cannot be read, or in which nobody is" {
    mkdir class.csv
    run grade --roster class.csv
    assert_failure 2
    assert_output --partial 'class.csv: is not a regular file'
    rmdir class.csv
    mkfifo class.csv
    run timeout 10 "$PARAGRADE" grade -q -a a.yaml --roster class.csv subs
    assert_failure 2
    assert_output --partial 'class.csv: is not a regular file'
    rm class.csv
    run grade --roster class.csv
    assert_failure 2
    assert_output --partial 'class.csv: No such file'
    printf 'id\n4711\n4712\n' >class.csv
    run grade --roster class.csv
    assert_failure 2
    assert_output --partial 'class.csv: it lists none of the 3 directories, for example not alice'
    assert [ -z "$(ls -A reports)" ]
}

@test "damage: a directory for reports that cannot be written to is named" {
    mkdir reports
    if [ "$(id -u)" = 0 ]; then
        chattr +i reports 2>/dev/null || skip "root can write everywhere here"
    else
        chmod 500 reports
    fi
    run grade
    chattr -i reports 2>/dev/null || true
    assert_failure 2
    assert_output --partial 'reports: cannot be written to: '
    refute_output --partial '.new-'
}
