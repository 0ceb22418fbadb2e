#!/usr/bin/env bats
# shellcheck disable=SC2154 # helpers/class.bash sets it
# grader/rundir/parts.def lists what a run directory holds, and who owns each part of it.

setup() {
    load ../helpers/common
    load ../helpers/class
    load ../helpers/parts
    make_class
}

@test "a finished run holds nothing that the table does not list" {
    run "$PARAGRADE" grade -q -a a.yaml --run-id r subs
    assert [ -f reports/r/receipts.json ]
    run unlisted_files reports/r
    assert_output ''
    assert [ "$(find reports/r -type f | wc -l)" -gt 20 ]
}

@test "nor does one whose attempts failed, and whose results were damaged" {
    run env FAKE_STATUS='alice.simd:75' "$PARAGRADE" grade -q -a a.yaml --run-id r subs
    echo '{' >reports/r/units/alice.naive/result.json
    run "$PARAGRADE" resume -q r
    assert_success
    assert [ -f reports/r/units/alice.naive/result.json.damaged ]
    assert [ -n "$(find reports/r/units/alice.simd -name 'infra-*.json')" ]
    run unlisted_files reports/r
    assert_output ''
}

@test "nor does one that was regraded and rescored" {
    "$PARAGRADE" grade -q -a a.yaml --run-id r subs
    echo 'int y;' >subs/alice/simd.c
    run "$PARAGRADE" regrade -q r
    assert_success
    run "$PARAGRADE" rescore r
    assert_success
    assert [ -d reports/r/earlier/2 ]
    run unlisted_files reports/r
    assert_output ''
}

@test "the check finds what it looks for" {
    mkdir -p run/units/a.simd run/slurm
    touch run/plan.json run/planxjson run/units/result.json run/units/a.simd/{result.json,core} \
        run/slurm/array-1.json run/evil.csv
    run unlisted_files run
    assert_equal "$(sort <<<"$output")" "$(printf '%s\n' evil.csv planxjson units/a.simd/core \
        units/result.json)"
}

@test "every part has an owner, a source file" {
    local owner
    for owner in $(parts_column '.*"([^"]+)"' | sort -u); do
        [ -f "$REPO/grader/$owner" ] || { echo "no grader/$owner"; false; }
    done
}

@test "every table of the report is listed, and covered by the receipts" {
    local listed written
    listed=$(parts_column '([A-Z]+_TABLE), *"[a-z]+\.csv", *FILE, *0, 1, .*' | sort)
    written=$(grep -ohE 'PART_[A-Z]+_TABLE' "$REPO"/grader/report/table.c | sed 's/^PART_//' |
        sort -u)
    assert [ -n "$listed" ]
    assert_equal "$listed" "$written"
}
