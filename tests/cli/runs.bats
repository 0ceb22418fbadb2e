#!/usr/bin/env bats
# shellcheck disable=SC2154
# paragrade runs: the list of runs.

setup() {
    load ../helpers/common
    cd "$BATS_TEST_TMPDIR" || exit 1
    export TMPDIR=$BATS_TEST_TMPDIR/tmp
    mkdir "$TMPDIR"
}

@test "runs: what is in reports and the self-tests, the newest first" {
    load ../helpers/class
    run -0 "$PARAGRADE" runs
    assert_output --partial 'no run here'
    make_class
    "$PARAGRADE" grade -q -a a.yaml --run-id first subs >/dev/null 2>&1
    "$PARAGRADE" grade -q -a a.yaml --run-id second subs/alice >/dev/null 2>&1
    touch -d '1 hour ago' reports/first/plan.json
    rm reports/second/receipts.json
    mkdir reports/nothing
    "$PARAGRADE" check -q -a a.yaml subs/alice >/dev/null 2>&1
    run -0 "$PARAGRADE" runs --tsv
    assert_line --index 0 $'run\tdate\tstate\tsize\tstudents\twhat'
    assert_line --index 1 --regexp $'\tdone\t.*\talice: [0-9] passed'
    assert_line --index 2 --regexp $'^second\t[0-9-]+ [0-9:]+\tno reports\t[0-9.]+ .*\t1\t1 student, without a roster'
    assert_line --index 3 --regexp $'^first\t.*\tdone\t.*\t3\t'
    assert_equal "${#lines[@]}" 4
    run -0 "$PARAGRADE" runs --reports reports --json
    assert_equal "$(jq -r '[.[].run] | join(" ")' <<<"$output")" 'second first'
    rm -r reports/first/units/alice.simd
    echo x >reports/second/plan.json
    run -0 "$PARAGRADE" runs --reports reports --tsv
    assert_line --index 1 --regexp $'^second\t.*\tdamaged\t'
    assert_line --index 2 --regexp $'^first\t.*\tnot finished\t'
    run -2 "$PARAGRADE" runs first
    run -2 "$PARAGRADE" runs --reports nowhere
}
