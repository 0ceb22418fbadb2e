#!/usr/bin/env bats
# shellcheck disable=SC2016
# On a node with interference, timing goes on until the wait budget is used up, but not longer.

load ../helpers/common

setup() {
    cd "$BATS_TEST_TMPDIR" || return 1
    sed -e "s|reference: .*|reference: $REPO/reference/gemm|; /^template:/d" -e 's/budget: 20ms/budget: 600ms/' \
        "$PARAGRADE_ASSIGNMENT" >a.yaml
    mkdir -p subs/alice
    cp "$REPO/student_impls/alice/simd.c" subs/alice/
    "$PARAGRADE" grade -q -a a.yaml --tier simd --run-id r subs >out 2>&1 || {
        cat out
        return 1
    }
}

# What times say of alice's unit: COLUMN OF A TIMED CASE
timed() { jq -r ".cases[] | select(.blocks | length > 0) | $1" reports/r/units/alice.simd/result.json; }
checking_and_timing() { jq '.total_seconds - .build_seconds' reports/r/units/alice.simd/result.json; }

# How many of alice's runs have this value of `accepted`: yes|no
accepted() {
    awk -F, -v wanted="$1" 'NR == 1 { sub(/\r$/, ""); for (i = 1; i <= NF; i++) at[$i] = i }
        { sub(/\r$/, "") } $at["submission"] == "alice" && $at["accepted"] == wanted { n++ }
        END { print n + 0 }' reports/r/samples.csv
}

@test "interference: on a node that is never as fast as its record, timing uses the wait budget up and ends" {
    # The record says that the node can be twice as fast as it is. So all runs show interference.
    for f in reports/r/nodes/*.json; do
        jq '.calibrations[] |= (.yardstick |= (.median /= 2 | .low /= 2 | .high /= 2)
            | .ratio |= (.median *= 2 | .low *= 2 | .high *= 2))' "$f" >new
        mv new "$f"
    done
    before=$(timed .seconds.median)
    rm reports/r/units/alice.simd/result.json
    run -0 "$PARAGRADE" resume -q r
    run checking_and_timing
    # Two budgets of 600 ms, and not much more. Starting processes takes time as well.
    assert [ "$(jq -n "$output >= 1.2 and $output < 15")" = true ]
    # No run is accepted, and the result says that it is not precise.
    assert_equal "$(accepted yes)" 0
    assert [ "$(accepted no)" -ge 3 ]
    assert_equal "$(timed '[.blocks[].process] | unique | length | . >= 3 and . <= 12')" true
    assert_equal "$(timed .precise)" false
    assert_equal "$(timed .verdict)" pass
    # The yardstick was as slow without the unit. So the unit is not blamed: its time is half of what
    # it was, as if the node were as fast as its record says. What it took is in the interval.
    assert_equal "$(timed ".seconds.median / $before | . > 0.3 and . < 0.7")" true
    assert_equal "$(timed ".seconds | .high > 0.8 * $before")" true
    # The reference was timed with the other record: that is the only thing that verify finds.
    run -1 --separate-stderr "$PARAGRADE" verify r
    refute_line --regexp '^(units/alice|cases|speedup)'
    assert_line --regexp '^units/reference.*: yardstick_expected: '
}
