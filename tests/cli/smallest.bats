#!/usr/bin/env bats
# The smallest case that fails: planted mistakes, whose smallest failing case is known.

load ../helpers/common

ZOO=$REPO/tests/fixtures/smallest

setup_file() {
    load ../helpers/common
    cd "$BATS_FILE_TMPDIR" || exit 1
    run "$PARAGRADE" check -q --no-timing -a "$REPO/tests/fixtures/smallest.yaml" --reports reports "$ZOO"
    [ "$status" = 1 ] || { echo "$output" && return 1; }
    mv reports/smallest-* reports/r
}

setup() { cd "$BATS_FILE_TMPDIR" || exit 1; }

# found UNIT: "SIZE VALUES RANKSxTHREADS SECONDS" of its result
found() {
    python3 - "reports/r/units/smallest.$1/result.json" <<'PY'
import json, sys
s = json.load(open(sys.argv[1]))["smallest"]
print("x".join(map(str, s["shape"])), s["values"], f'{s["ranks"]}x{s["threads"]}', s["seconds"])
PY
}

# near SIZE SIZE: no dimension differs by more than 2
near() {
    local -a a b
    local i
    IFS=x read -ra a <<<"$1"
    IFS=x read -ra b <<<"$2"
    for i in 0 1 2; do
        ((a[i] - b[i] <= 2 && b[i] - a[i] <= 2)) || return 1
    done
}

# The command of the smallest case of a tier, without "paragrade".
again() {
    "$PARAGRADE" report --student smallest r |
        sed -nE "s/^ *again: paragrade (replay .* smallest.$1 .*--seed.*)/\\1/p"
}

@test "smallest: within 2 of the known minimum for each planted mistake, in a median time below 20 s" {
    local f unit size values launch seconds wanted
    : >seconds.txt
    for f in "$ZOO"/*.c; do
        unit=$(basename "$f" .c)
        read -r size values launch seconds <<<"$(found "$unit")"
        echo "$seconds" >>seconds.txt
        wanted=$(sed -nE 's|^/\* minimum: (.*) \*/$|\1|p' "$f")
        near "$size" "${wanted%% *}" || fail "$unit: $size, known is $wanted"
        assert_equal "$unit $values $launch" "$unit ${wanted#* }"
    done
    run sort -g seconds.txt
    assert [ "${#lines[@]}" -ge 15 ]
    run awk -v t="${lines[$((${#lines[@]} / 2))]}" 'BEGIN { exit !(t < 20) }'
    assert_success
}

@test "smallest: the report shows it, and a command that shows the same failure" {
    run "$PARAGRADE" report --student smallest r
    assert_output --partial 'smallest case found that fails (1x15x1, small values, 1 thread): C[0][0]:'
    local command wanted unit
    for unit in "block wrong-answer" "crash crash" "past wrote-out-of-bounds" \
        "shares wrong-answer" "ranks wrong-answer"; do
        read -r unit wanted <<<"$unit"
        command=$(again "$unit")
        # shellcheck disable=SC2086
        run -1 "$PARAGRADE" $command
        assert_output --partial ": $wanted"
    done
}

@test "smallest: one step below it, the case passes" {
    run -0 "$PARAGRADE" replay r smallest.block 1x14x1 --values small --repeat 3
    assert_output --partial 'smallest.block, case 1x14x1: 1 x 14 x 1 (M x N x K), small values'
    assert_output --partial 'pass (3 runs)'
    run -0 "$PARAGRADE" replay r smallest.bounds 1x3x17
    run -0 "$PARAGRADE" replay r smallest.ranks 1x1x1 --launch 1x1
}

@test "smallest: it is in the tables and in the summary of the class" {
    run grep '^smallest,rows,' reports/r/units.csv
    assert_output --regexp ',65x1x1,small,1,1,.*,paragrade replay .* smallest.rows 65x1x1 --values small --seed 0x[0-9a-f]{16} --launch 1x1'
    "$PARAGRADE" report r >class.txt
    run grep -A1 '^smallest.rows ' class.txt
    assert_output --partial 'smallest: 65x1x1, small values, 1 thread'
    run -0 "$PARAGRADE" report --json r
    assert_output --partial 'smallest.rows 65x1x1'
}

@test "smallest: neither the verdict nor the message of the unit change" {
    run grep '^smallest,crash,' reports/r/units.csv
    assert_output --regexp '^smallest,crash,crash,.*case [0-9]+ \(64x1x1, .*stopped after 2 failures'
}

@test "smallest: verify knows it, and sees a changed one" {
    run -0 "$PARAGRADE" verify r
    cp -r reports/r "$BATS_TEST_TMPDIR/r"
    sed -i '/"smallest": {/,/}/s/"threads": 1/"threads": 9/' \
        "$BATS_TEST_TMPDIR/r/units/smallest.rows/result.json"
    run -1 "$PARAGRADE" verify -v "$BATS_TEST_TMPDIR/r"
    assert_output --partial 'larger than the case that failed'
}

@test "smallest: a case by size is written as a small program" {
    run -0 "$PARAGRADE" replay --export small r smallest.block 1x15x1 --values small
    assert_output --partial 'smallest.block, case 1x15x1 is in small;'
    run make -s -C small run
    assert_failure
    assert_output --partial 'C[0][0]'
}

@test "smallest: a kernel of one dimension names it, so that its size is no number of a case" {
    mkdir one
    sed 's/i < n;/i < n - 1;/' "$REPO/testcases/dot/reference/naive.c" >one/naive.c
    run -1 "$PARAGRADE" check -q --no-timing -t naive -a "$REPO/testcases/dot/assignment.yaml" --reports one_dot one
    mv one_dot/dot-* one_dot/r
    run "$PARAGRADE" report --student one one_dot/r
    assert_output --regexp 'smallest case found that fails \(n=[12], '
    local command
    command=$(sed -nE 's/^ *again: paragrade (replay .* n=[12] --values .*)/\1/p' <<<"$output")
    # shellcheck disable=SC2086
    run -1 "$PARAGRADE" $command
    assert_output --regexp 'one.naive, case n=[12]: [12] \(n\), '
    assert_output --partial ': wrong-answer'
    run -2 "$PARAGRADE" replay one_dot/r one.naive m=2
    assert_output --partial "'m=2' is not a size"
    run -1 "$PARAGRADE" replay r smallest.block M=1xN=15xK=1 --values small
    run -2 "$PARAGRADE" replay r smallest.block N=1xM=15xK=1 --values small
    run -2 "$PARAGRADE" replay r smallest.block M=15 --values small
}

@test "smallest: what replay is asked for is checked" {
    run -2 "$PARAGRADE" replay r smallest.block 1x15
    assert_output --partial "'1x15' is not a size"
    run -2 "$PARAGRADE" replay r smallest.block 1x15x1 --values huge
    assert_output --partial "'huge' is no kind of values of this assignment; there are: full, small, negative, sparse"
    run -2 "$PARAGRADE" replay r smallest.block 1x15x1 --seed x
    assert_output --partial "--seed: 'x' is not a number"
    run -2 "$PARAGRADE" replay r smallest.block 3 --values small
    assert_output --partial 'is for a case by size'
    run -2 "$PARAGRADE" replay r smallest.block 1x15x1 --launch 2x1
    assert_output --partial "the tier block has no '2x1'"
}

@test "smallest: the search ends when its time is over, with what it has" {
    sed "s|../../reference|$REPO/reference|; s/stress_time: 5ms/&, smallest_time: 1ms/" \
        "$REPO/tests/fixtures/smallest.yaml" >short.yaml
    run -1 "$PARAGRADE" check --no-timing --tier rows -a short.yaml --reports short "$ZOO"
    assert_output --partial 'wrong-answer'
    run grep -c '"finished": false' short/*/units/smallest.rows/result.json
    assert_output 1
}
