#!/usr/bin/env bats
# shellcheck disable=SC2016
# On a node with interference, timing goes on until the wait budget is used up, but not longer.

load ../helpers/common

setup() {
    cd "$BATS_TEST_TMPDIR" || return 1
    sed -e "s|reference: .*|reference: $REPO/reference/gemm-i32|" -e 's/budget: 200ms/budget: 600ms/' \
        -e 's/min_samples: 3/min_samples: 4/' "$PARAGRADE_ASSIGNMENT" >a.yaml
    mkdir -p subs/alice
    cp "$REPO/student_impls/alice/simd.c" subs/alice/
    "$PARAGRADE" grade -q -a a.yaml --tier simd --run-id r subs >out 2>&1 || {
        cat out
        return 1
    }
}

# What times say of alice's unit: COLUMN OF A TIMED CASE
timed() { jq -r ".cases[] | select(.samples | length > 0) | $1" reports/r/units/alice.simd/result.json; }
checking_and_timing() { jq '.total_seconds - .build_seconds' reports/r/units/alice.simd/result.json; }

@test "interference: on a node that is never as fast as its record, samples are spread over the whole wait budget" {
    # The record says that the node can be twice as fast as it is. So all samples show interference.
    for f in reports/r/nodes/*.json; do
        jq '.calibrations[] |= (.yardstick |= (.median /= 2 | .low /= 2 | .high /= 2)
            | .ratio |= (.median *= 2 | .low *= 2 | .high *= 2))' "$f" >new
        mv new "$f"
    done
    rm reports/r/units/alice.simd/result.json
    run -0 "$PARAGRADE" resume -q r
    run checking_and_timing
    assert [ "$(jq -n "$output >= 3.6")" = true ]
    # There are as many samples as are allowed (unless something else takes time). All of them are
    # disturbed, and the result says that it is not precise.
    assert_equal "$(timed '(.samples | length) as $n | $n >= 10 and $n <= 15')" true
    assert_equal "$(timed '[.samples[] | select(.disturbed | not)] | length')" 0
    assert_equal "$(timed .precise)" false
    assert_equal "$(timed .verdict)" pass
}
