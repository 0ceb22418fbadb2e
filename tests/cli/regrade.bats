#!/usr/bin/env bats
# shellcheck disable=SC2154,SC2016 # bats and helpers set variables
# paragrade regrade: what has changed runs again, in the same run.

setup() {
    load ../helpers/common
    load ../helpers/class
    make_class
    printf 'submission,name,group\nalice,Alice,A\nwrong,Wim,B\nc d,Carl,A\nzoe,Zoe,B\n' >roster.csv
    export FAKE_SLEEP=0
    "$PARAGRADE" grade -q -a a.yaml --roster roster.csv --run-id r subs >/dev/null
}

# Units whose results are not those of the time before `mark`.
ran_again() {
    find reports/r/units -name result.json -newer mark | cut -d/ -f4 | sort | paste -sd ' '
}

mark() {
    touch -d '2001-01-01' reports/r/units/*/result.json
    touch -d '2002-01-01' mark
}

@test "regrade: bad arguments are refused, and the run stays as it was" {
    run -2 env -C / "$PARAGRADE" regrade # no run there
    run -2 "$PARAGRADE" regrade nowhere
    run -2 "$PARAGRADE" regrade --only alic r
    assert_output --partial "no submission 'alic'"
    run -2 "$PARAGRADE" regrade --only alice.fast r
    assert_output --partial "no tier 'fast' in this run; it has: naive, simd, openmp"
    run -2 "$PARAGRADE" regrade --only alice --assignment a.yaml r
    assert_output --partial '--assignment regrades the whole run'
    run -2 "$PARAGRADE" regrade --only alice r subs/wrong
    assert_output --partial 'alice is not among the directories given'
    mkdir other
    cp -r subs/alice other/ann
    run -2 "$PARAGRADE" regrade r other
    assert_output --partial 'none of the 1 directory given belongs to a submission of this run'
    echo '{' >broken.yaml
    run -2 "$PARAGRADE" regrade --assignment broken.yaml r
    assert_output --partial 'broken.yaml:'
    run -0 "$PARAGRADE" verify r
    assert [ ! -e reports/r/earlier ]
    assert_equal "$(ls -A reports)" r
}

@test "regrade: nothing has changed, nothing runs" {
    mark
    run -0 "$PARAGRADE" regrade r
    assert_output --partial 'nothing has changed'
    assert_equal "$(ran_again)" ''
    assert_equal "$(ls -A reports)" r
}

@test "regrade: a digest of before it is recognised; what it has not replaced must be the same" {
    local digest receipt
    digest=$(sha256sum reports/r/receipts.json | cut -d' ' -f1)
    receipt=$(jq -r '.submissions[] | select(.id == "alice") | .receipt' reports/r/receipts.json)
    echo 'int y;' >subs/alice/simd.c
    "$PARAGRADE" regrade -q r
    run -0 "$PARAGRADE" verify --digest "$digest" r
    assert_line --regexp '^note: this digest is of the run before the regrade of 20[0-9TZ:-]+\. earlier/1 has what'
    assert_line --partial 'verified: '
    run -0 "$PARAGRADE" verify --digest "$receipt" r
    assert_line --partial 'note: this receipt of alice is of the run before the regrade of '
    # A result that was changed before a regrade has good receipts of now, but not of then.
    cp -r reports/r reports/times
    jq '.total_seconds = 77' reports/r/units/alice.naive/result.json >new.json
    cp new.json reports/times/units/alice.naive/result.json
    jq '.verdict = "wrong-answer"' new.json >reports/r/units/alice.naive/result.json
    local name
    for name in r times; do
        "$PARAGRADE" report --csv-only "$name"
        "$PARAGRADE" regrade -q --only alice.openmp "$name"
    done
    run -1 "$PARAGRADE" verify --digest "$digest" r
    assert_line 'units/alice.naive/result.json was changed'
    run "$PARAGRADE" verify --digest "$digest" times
    assert_line --regexp '^note: the times of alice.naive are others than then: [0-9.]+ -> [0-9.]+ points'
    refute_line --partial 'result.json was changed'
    run -1 "$PARAGRADE" verify --digest "$(printf '%064d' 0)" r
    assert_output --partial 'receipts.json: digest: recorded 0000'
}

@test "regrade: a changed source runs again; the roster still applies and verify agrees" {
    mark
    echo 'int y;' >subs/alice/simd.c
    run -0 "$PARAGRADE" regrade -n r
    assert_line 'source: alice.simd'
    assert_equal "$(ran_again)" ''
    run -0 "$PARAGRADE" regrade r
    assert_line 'source: alice.simd'
    assert_line '1 unit runs again, 14 keep their results'
    assert_equal "$(ran_again)" alice.simd
    run cut -d, -f1-3 reports/r/grades.csv
    assert_line --partial 'zoe,Zoe,zoe'
    assert_equal "$(cat reports/r/sources/alice/simd.c)" 'int y;'
    run -0 "$PARAGRADE" verify r
    # What was replaced is kept, and cannot be changed unseen.
    assert_equal "$(cat reports/r/earlier/1/sources/alice/simd.c)" 'int x;'
    assert [ -f reports/r/earlier/1/units/alice.simd/result.json ]
    assert [ ! -e reports/r/earlier/1/units/alice.naive ]
    echo ' ' >>reports/r/earlier/1/receipts.json
    run -1 "$PARAGRADE" verify r
    assert_output --partial 'earlier/1/receipts.json was '
}

@test "regrade: files of a student without any source are kept when they change" {
    rm subs/alice/*.c
    echo 1 >subs/alice/own.h
    "$PARAGRADE" regrade -q r
    local digest
    digest=$(sha256sum reports/r/receipts.json | cut -d' ' -f1)
    for change in 'echo 3 >subs/alice/own.h' 'rm -r subs/alice'; do
        eval "$change"
        echo "int y; // $change" >subs/wrong/naive.c
        "$PARAGRADE" regrade -q r
        run -0 "$PARAGRADE" verify --digest "$digest" r
    done
}

@test "regrade: a header belongs to all tiers of its submission" {
    mark
    echo '#define A 1' >'subs/c d/own.h'
    run -0 "$PARAGRADE" regrade r
    assert_equal "$(ran_again)" 'c%20d.naive c%20d.openmp c%20d.simd'
}

@test "regrade: directories that are gone, or not given, change nothing; a late one is taken" {
    mark
    mv subs/alice away
    run -0 "$PARAGRADE" regrade r
    assert_output --partial '1 directory is not there any more (alice)'
    assert_output --partial 'nothing has changed'
    mkdir late
    cp -r away late/zoe
    cp -r away late/stranger
    run -0 "$PARAGRADE" regrade r late
    assert_output --partial 'stranger: left out, not on the roster of this run'
    assert_line 'source: zoe.naive zoe.simd zoe.openmp'
    assert_equal "$(ran_again)" 'zoe.naive zoe.openmp zoe.simd'
    assert_equal "$(cut -d, -f1 reports/r/grades.csv | paste -sd' ')" 'submission alice wrong c%20d zoe'
    # From now on it is looked for there.
    echo 'int y;' >late/zoe/naive.c
    run -0 "$PARAGRADE" regrade r
    assert_line 'source: zoe.naive'
}

@test "regrade: without a roster, a new directory joins the run" {
    "$PARAGRADE" grade -q -a a.yaml --run-id all subs >/dev/null
    mkdir late
    cp -r subs/alice late/zoe
    run -0 "$PARAGRADE" regrade all late
    assert_line 'new: zoe.naive zoe.simd zoe.openmp'
    assert_equal "$(wc -l <reports/all/grades.csv)" 5
}

@test "regrade: --only runs named units again, and only looks at them" {
    mark
    echo 'int y;' >subs/alice/naive.c
    echo 'int y;' >subs/alice/simd.c
    echo 'int y;' >subs/wrong/naive.c
    run -0 "$PARAGRADE" regrade --only alice.simd r
    assert_line 'asked for: alice.simd'
    assert_equal "$(ran_again)" alice.simd
    assert_equal "$(cat reports/r/sources/alice/{naive,simd}.c)" $'int x;\nint y;'
    run -0 "$PARAGRADE" verify r
    run -0 "$PARAGRADE" regrade --only Alice r # by name, all tiers
    assert_line 'asked for: alice.naive alice.simd alice.openmp'
    run -0 "$PARAGRADE" regrade -n --only alice -t naive,simd r
    assert_line 'asked for: alice.naive alice.simd'
    run -0 "$PARAGRADE" regrade -n -t simd r # of everybody
    assert_line 'asked for: alice.simd c%20d.simd'
    run -2 "$PARAGRADE" regrade -n -t fast r
    assert_output --partial "no tier 'fast' in this run"
    run -0 "$PARAGRADE" regrade r
    assert_line 'source: wrong.naive'
    # What tiers share cannot be changed for one of them.
    echo '#define A 1' >subs/alice/own.h
    run -2 "$PARAGRADE" regrade --only alice.simd r
    assert_output --partial 'alice has changed own.h, which other tiers use, too'
    run -0 "$PARAGRADE" verify r
}

@test "regrade: assignment, reference, grader and compiler are compared" {
    mark
    sed -i '/name: openmp/s/gcc -o/gcc -fopenmp -o/' a.yaml
    run -0 "$PARAGRADE" regrade -n r
    assert_line --regexp '^assignment: tiers.openmp.compile: reference.openmp alice.openmp wrong.openmp c%20d.openmp$'
    sed -i 's/^type: i32/&\ncorrectness: {random: 4}/' a.yaml
    run -0 "$PARAGRADE" regrade -n r
    assert_line --regexp '^assignment: correctness: reference.naive '
    assert_line '11 units run again, 4 keep their results'
    rm a.yaml
    run -0 "$PARAGRADE" regrade -n r
    assert_output --partial 'a.yaml is not there any more'
    assert_output --partial 'nothing has changed'
    cp reports/r/assignment.yaml a.yaml
    echo 'int y;' >ref/simd.c
    run -0 "$PARAGRADE" regrade -n r
    assert_line --regexp '^reference: simd: reference.naive'
    echo 'int x;' >ref/simd.c
    sed -i 's/"compiler": ""/"compiler": "gcc 1.0"/' reports/r/units/alice.naive/result.json
    run -0 "$PARAGRADE" regrade -n r
    assert_line --regexp '^compiler of naive: gcc .*: alice.naive$'
    # The baseline is of the reference, and all speed-ups depend on it.
    sed -i 's/"compiler": ""/"compiler": "gcc 1.0"/' reports/r/units/reference.naive/result.json
    run -0 "$PARAGRADE" regrade -n r
    assert_line --regexp '^compiler of naive: gcc .*: reference.naive'
    assert_line '11 units run again, 4 keep their results'
    sed -i 's/"compiler": "gcc 1.0"/"compiler": ""/' reports/r/units/*/result.json
    sed -i 's/"proctor": "......../"proctor": "00000000/' reports/r/resume.json
    run -0 "$PARAGRADE" regrade -n r
    assert_line --regexp '^grader: proctor: reference.naive'
    # A part of the class may be graded by another grader; the receipts say so.
    run -0 "$PARAGRADE" regrade --only alice.simd r
    assert_output --partial 'something else has changed (grader: proctor)'
    run -0 jq -r '[.submissions[].units[] | select(.tools_sha256) | .unit] | length' reports/r/receipts.json
    assert_output 10
    run -0 jq -r '.submissions[].units[] | select(.unit == "alice.simd") | .tools_sha256' reports/r/receipts.json
    assert_output null
    run -0 "$PARAGRADE" verify r
    # It is not forgotten which units the other one graded.
    run -0 "$PARAGRADE" regrade r
    assert_line --regexp '^another grader: reference.naive '
    assert_line '10 units run again, 5 keep their results'
    run -0 "$PARAGRADE" regrade r
    assert_output --partial 'nothing has changed'
    run -0 "$PARAGRADE" verify r
}

@test "regrade: after a resume with another grader, results of the old one are still known" {
    FAKE_STATUS='alice.simd:75' run "$PARAGRADE" grade -q -a a.yaml --run-id half subs
    sed -i 's/"proctor": "......../"proctor": "00000000/' reports/half/resume.json
    run -0 "$PARAGRADE" resume -q half
    run -0 jq -r '[.submissions[].units[] | select(.tools_sha256) | .unit] | length' reports/half/receipts.json
    assert_output 10
    run -0 "$PARAGRADE" verify half
    run -0 "$PARAGRADE" regrade -n half
    assert_line --regexp '^another grader: reference.naive '
    refute_output --partial alice.simd
    assert_line --regexp '^10 units run again'
}

@test "regrade: a new seed of the assignment is taken, unless the run got its own" {
    "$PARAGRADE" grade -q -a a.yaml --seed 9 --run-id own subs >/dev/null
    sed -i 's/^type: i32/&\nseed: 5/' a.yaml
    "$PARAGRADE" regrade -q r
    "$PARAGRADE" regrade -q own
    assert_equal "$(jq -r .seed reports/{r,own}/plan.json)" $'0x0000000000000005\n0x0000000000000009'
    run -0 "$PARAGRADE" regrade r
    assert_output --partial 'nothing has changed'
}

@test "regrade: other points alone run nothing" {
    mark
    sed -i 's/{name: naive, /{name: naive, points: {correct: 5}, /' a.yaml
    run -0 "$PARAGRADE" regrade r
    assert_line '0 units run again, 15 keep their results'
    assert_equal "$(ran_again)" ''
    assert_line --regexp '^alice +0\.00 +5\.00 +5 +\+5\.00 +naive$'
    assert_line '2 of 4 submissions have other points than before'
    run -0 "$PARAGRADE" verify r
}

@test "regrade: killed at any moment, the run is whole, and the next call ends the work" {
    local ms
    for ms in 0 5 9 14 22; do
        echo "int y$ms;" >subs/alice/simd.c
        FAKE_SLEEP=0.02 "$PARAGRADE" regrade -q r >/dev/null 2>&1 3>&- &
        sleep "0.0$(printf %02d $ms)"
        kill -9 $! 2>/dev/null || true
        wait $! || true
        run "$PARAGRADE" regrade -q r
        assert_success
        run "$PARAGRADE" resume -q r
        assert_success
        assert_equal "$(cat reports/r/sources/alice/simd.c)" "int y$ms;"
        assert_graded reports/r
        run -0 "$PARAGRADE" verify r
        assert_equal "$(ls -A reports)" r
    done
}

# A compiler that stops the grader when it is asked for its version: that is in the preparation.
stopping_compiler() {
    sed -i 's/"compiler": ""/"compiler": "gcc 1.0"/' reports/r/units/reference.naive/result.json
    "$PARAGRADE" report --csv-only r
    mkdir bin
    # shellcheck disable=SC2016
    printf '#!/bin/sh\nkill -INT $PPID\necho gcc 2.0\n' >bin/gcc
    chmod +x bin/gcc
}

@test "regrade: stopped before units run, nothing is changed" {
    stopping_compiler
    echo 'int y;' >subs/alice/simd.c
    local options
    for options in '' -n; do
        # shellcheck disable=SC2086
        PATH=$PWD/bin:$PATH run -3 env --default-signal=INT "$PARAGRADE" regrade -q $options r
        assert_output 'stopped; nothing was changed in reports/r'
        assert_equal "$(ls -A reports)" r
        assert [ ! -e reports/r/lock ]
        assert [ ! -e reports/r/earlier ]
        run -0 "$PARAGRADE" verify r
    done
    run -0 "$PARAGRADE" regrade -q r
}

@test "regrade: one process at a time; a sweep or self-test is refused" {
    FAKE_SLEEP=5 "$PARAGRADE" regrade -q --only alice r >/dev/null 2>&1 3>&- &
    pid=$!
    wait_until 10 test -e reports/r/earlier/1
    wait_until 10 test -e reports/r/lock
    run "$PARAGRADE" regrade r
    assert_failure 1
    assert_output --partial "process $pid on"
    kill $pid
    wait $pid || true
    sed -i 's/"self_test": false/"self_test": true/' reports/r/plan.json
    run -2 "$PARAGRADE" regrade r
    assert_output --partial 'is a self-test'
}

# What is on disk of an array that was submitted.
put_array() {
    mkdir -p reports/r/slurm
    printf '{"name": "pg-r", "elements": 1, "throttle": 0, "units": ["alice.simd"]}' >reports/r/slurm/array-1.json
    echo 7 >reports/r/slurm/array-1.job
}

@test "regrade: a silent Slurm is in the way only if a unit is not over" {
    mkdir bin
    printf '#!/bin/sh\necho "slurm_load_jobs error: Unable to contact slurm controller" >&2; exit 1\n' >bin/squeue
    chmod +x bin/squeue
    cp reports/r/units/alice.simd/result.json result.json
    for command in rescore 'regrade --only alice'; do
        put_array
        # A unit without a result, which a job may run now.
        rm reports/r/units/alice.simd/result.json
        # shellcheck disable=SC2086
        PATH=$PWD/bin:$PATH run -1 "$PARAGRADE" $command r
        assert_output --partial 'Slurm does not say whether jobs of this run are in the queue'
        assert [ ! -e reports/r/lock ]
        cp result.json reports/r/units/alice.simd/
        # shellcheck disable=SC2086
        PATH=$PWD/bin:$PATH run -0 "$PARAGRADE" $command r
    done
    # A unit that has used up its attempts is over, too.
    rm -r reports/r
    FAKE_DIE='alice.simd' run -1 "$PARAGRADE" grade -q -a a.yaml --run-id r subs
    put_array
    PATH=$PWD/bin:$PATH run -0 "$PARAGRADE" rescore r
    # If Slurm answers, it is believed.
    put_array
    printf '#!/bin/sh\necho "7|0|RUNNING||None|pg-r"\n' >bin/squeue
    PATH=$PWD/bin:$PATH run -2 "$PARAGRADE" rescore r
    assert_output --partial "jobs of this run are in Slurm's queue (job 7)"
}

@test "regrade: killed between two renames, the run is found by every command" {
    mv reports/r reports/.r.replaced
    run -0 "$PARAGRADE" status r
    mv reports/r reports/.r.replaced
    run -0 "$PARAGRADE" report reports/r/
    mv reports/r reports/.r.replaced
    run -0 "$PARAGRADE" resume -q reports/r
    mv reports/r reports/.r.replaced
    run -0 "$PARAGRADE" verify r
    assert_equal "$(ls -A reports)" r
}
