#!/usr/bin/env bats

load ../helpers/common

setup_file() {
    load ../helpers/common
    cd "$BATS_FILE_TMPDIR" || exit 1
    mkdir subs
    cp -r "$REPO/student_impls/carol" subs/
    "$PARAGRADE" grade -q -a "$PARAGRADE_ASSIGNMENT" --tier simd --run-id r subs >out.txt 2>&1
    "$PARAGRADE" report --student carol r | sed -nE 's/.*paragrade (replay .*)/\1/p' | head -n 1 >replay.txt
}

setup() { cd "$BATS_FILE_TMPDIR" || exit 1; }

@test "replay: the command that the report gives shows the same failure" {
    # shellcheck disable=SC2046
    run -1 "$PARAGRADE" $(cat replay.txt)
    assert_output --partial "wrong-answer"
    local want
    want=$("$PARAGRADE" report --student carol r | grep -oE 'C\[[0-9]+\]\[[0-9]+\]: expected -?[0-9]+' | tail -n 1)
    assert_output --partial "$want"
}

@test "replay: a small problem is shown with all its numbers, as they were when it failed" {
    run -1 "$PARAGRADE" replay r carol.simd 1x9x1
    assert_line --regexp '^    B = \[(-?[0-9]+, ){8}-?[0-9]+\]$'
    assert_line --regexp '^    expected C = \[(-?[0-9]+, ){8}-?[0-9]+\]$'
    assert_line --regexp '^    got C = \[(-?[0-9]+, ){8}-?[0-9]+\]$'
    run "$PARAGRADE" replay r carol.simd 30x30x30
    refute_output --partial 'expected C ='
}

@test "replay: a case that passes" {
    run -0 "$PARAGRADE" replay --repeat 3 r reference.simd 0
    assert_output --partial "pass"
    assert_output --partial "(3 runs)"
}

@test "replay: leaves the run as it is" {
    local before
    before=$(find reports/r -type f -exec cksum {} + | sort | cksum)
    run -0 "$PARAGRADE" replay r reference.simd 1
    assert_equal "$(find reports/r -type f -exec cksum {} + | sort | cksum)" "$before"
}

@test "replay: what the proctor has to say comes without its name" {
    cp -r reports/r "$BATS_TEST_TMPDIR/r"
    rm -r "$BATS_TEST_TMPDIR/r/sources/carol"
    run -1 "$PARAGRADE" replay "$BATS_TEST_TMPDIR/r" carol.simd 0
    assert_output --regexp '^paragrade replay: the case could not be run \(.*\): carol.simd: .*/sources/carol: No such file'
    refute_output --partial 'paragrade proctor'
    assert_equal "${#lines[@]}" 1
}

@test "replay: wrong arguments are named" {
    run -2 "$PARAGRADE" replay nowhere reference.simd 0
    run -2 "$PARAGRADE" replay r nobody.simd 0
    assert_output --partial "no unit 'nobody.simd'"
    run -2 "$PARAGRADE" replay r reference.simd 99999
    assert_output --partial "99999"
    run -2 "$PARAGRADE" replay r reference.simd x
    run -2 "$PARAGRADE" replay --launch 2 r reference.simd 0
    assert_output --partial "RANKSxTHREADS"
    run -2 "$PARAGRADE" replay
    assert_output --partial 'give a unit'
    run -2 "$PARAGRADE" replay r reference.simd
    assert_output --partial 'reference.simd passes: say which case to run'
}

@test "replay: without a case, the one that the report names; without a run, the newest that has the tier" {
    run -1 "$PARAGRADE" replay carol.simd
    local again
    again=$("$PARAGRADE" report --student carol r | sed -nE 's/.*again: paragrade (replay .*)/\1/p')
    # shellcheck disable=SC2086
    run -1 "$PARAGRADE" $again
    local same=${output%, got *}
    assert_line --partial 'carol.simd, case 1x'
    run -1 --separate-stderr "$PARAGRADE" replay r carol.simd
    assert_equal "${output%, got *}" "$same" # what the output held before differs from run to run
    # A newer run has another tier only, and a still newer one is damaged.
    "$PARAGRADE" grade -q -a "$PARAGRADE_ASSIGNMENT" --tier naive --run-id newer subs >out.txt 2>&1
    mkdir reports/damaged
    echo '{' >reports/damaged/plan.json
    run -1 "$PARAGRADE" replay simd
    assert_line 'the newest run: r'
    run -0 "$PARAGRADE" replay naive 0
    assert_line 'the newest run: newer'
    rm -r reports/damaged reports/newer
}

@test "replay: a launch that the tier does not have is refused, with those that it has" {
    run -2 "$PARAGRADE" replay r carol.simd 6 --launch 2x1
    assert_output --partial "the tier simd has no '2x1'"
    assert_output --partial 'it has 1x1'
    run -2 "$PARAGRADE" replay r carol.simd 6 --launch 1
    assert_output --partial RANKSxTHREADS
}

@test "replay: the newest run, the only submission, and names as they are typed" {
    run -1 "$PARAGRADE" replay simd "$(awk '{print $4}' replay.txt)"
    assert_line --partial 'the newest run: r'
    assert_output --partial 'wrong-answer'
    run -0 "$PARAGRADE" replay reference.simd 0
    mkdir "$BATS_TEST_TMPDIR/two"
    cp -r subs/carol "$BATS_TEST_TMPDIR/two/c d"
    cp -r subs/carol "$BATS_TEST_TMPDIR/two/carol"
    cd "$BATS_TEST_TMPDIR"
    "$PARAGRADE" grade -q -a "$PARAGRADE_ASSIGNMENT" --tier simd --run-id r two >out.txt 2>&1
    run -2 "$PARAGRADE" replay simd 0
    assert_output --partial "whose 'simd'? The run has several submissions: give SUBMISSION.simd"
    run "$PARAGRADE" replay 'c d.simd' 0
    assert_output --partial 'c%20d.simd, case 0'
    run -2 "$PARAGRADE" replay nothing 0
    assert_output --partial "no unit 'nothing' (units are SUBMISSION.TIER; the tiers are naive, simd, openmp)"
    run -2 "$PARAGRADE" replay 0
}
