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

# Only the command that drives a run may move its results, and it holds the lock.
unchanged() { # FILES-OF-THE-UNIT
    run -0 ls reports/r/units/frank.naive
    assert_output "$1"
}

@test "collect: a damaged result is named, counts as missing and stays where it is" {
    local files
    echo '{' >reports/r/units/frank.naive/result.json
    files=$(ls reports/r/units/frank.naive)
    for command in collect report; do
        run "$PARAGRADE" $command r
        assert_output --partial "frank.naive/result.json: is damaged"
        assert_output --partial "paragrade resume"
        unchanged "$files"
    done
    run -3 "$PARAGRADE" collect r
    assert_output --partial "1 of 2"
    run -0 "$PARAGRADE" resume -q r
    assert_output --partial "moved aside"
    assert [ -f reports/r/units/frank.naive/result.json.damaged ]
    run -0 "$PARAGRADE" collect r
}

@test "collect: a result or a record that cannot be opened is an error, and nothing is written or moved" {
    local file files
    for file in reports/r/units/frank.naive/result.json reports/r/nodes/*.json; do
        mv "$file" whole
        ln -s nowhere "$file"
        files=$(ls reports/r/units/frank.naive)
        for command in collect report resume; do
            rm -f reports/r/*.csv
            run -1 "$PARAGRADE" $command r
            assert_output --partial "${file#reports/}: No such file or directory"
            assert [ ! -e reports/r/grades.csv ]
            unchanged "$files"
            assert [ -L "$file" ]
        done
        for command in 'compare r' 'export --jsonl -'; do
            # shellcheck disable=SC2086 # words
            run -1 "$PARAGRADE" $command r
            assert_output --partial "${file#reports/}: No such file or directory"
        done
        mv whole "$file"
        run -0 "$PARAGRADE" collect r
        assert [ -e reports/r/grades.csv ]
    done
}

@test "collect: what is not a run is refused" {
    run -2 "$PARAGRADE" collect nowhere
    mkdir empty
    cd empty
    run -2 "$PARAGRADE" collect
}
