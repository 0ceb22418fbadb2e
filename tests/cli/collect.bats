#!/usr/bin/env bats

load ../helpers/common

setup_file() {
    load ../helpers/common
    cd "$BATS_FILE_TMPDIR" || exit 1
    mkdir subs
    cp -r "$REPO/student_impls/frank" subs/
    "$PARAGRADE" grade -q -a "$PARAGRADE_ASSIGNMENT" --tier naive --run-id r subs >out.txt 2>&1
}

setup() {
    cd "$BATS_TEST_TMPDIR" || exit 1
    mkdir reports
    cp -r "$BATS_FILE_TMPDIR/reports/r" reports/
}

@test "collect: counts what is there and writes the tables" {
    rm reports/r/*.csv
    run -0 "$PARAGRADE" collect r
    assert_output "2 of 2 units have a result"
    [ -f reports/r/grades.csv ]
}

@test "collect: units without a result leave it unfinished" {
    rm reports/r/units/frank.naive/result.json
    run -3 "$PARAGRADE" collect r
    assert_output "1 of 2 units have a result"
}

@test "collect: a damaged result is moved aside and named" {
    echo '{' >reports/r/units/frank.naive/result.json
    run -3 "$PARAGRADE" collect r
    assert_output --partial "frank.naive/result.json"
    assert_output --partial "1 of 2"
    [ -f reports/r/units/frank.naive/result.json.damaged ]
    [ ! -e reports/r/units/frank.naive/result.json ]
}

@test "collect: what is not a run is refused" {
    run -2 "$PARAGRADE" collect nowhere
    run -2 "$PARAGRADE" collect
}
