#!/usr/bin/env bats
# Times that cannot be true, by the node's own record.

load ../helpers/common

setup_file() {
    load ../helpers/common
    cd "$BATS_FILE_TMPDIR" || exit 1
    mkdir -p subs/quick
    cp "$REPO"/reference/gemm/simd.c "$REPO"/reference/gemm/*.h subs/quick/
    "$PARAGRADE" grade -q -a "$REPO/tests/fixtures/attest.yaml" --tier simd --run-id r subs \
        >class.txt 2>err.txt || {
        cat err.txt
        return 1
    }
}

setup() { cd "$BATS_FILE_TMPDIR" || exit 1; }

# A copy of the run in which the node's record says that its caches hold nothing, and that its memory
# moves so many times fewer bytes than the submission does. Everything is timed again.
on_a_slower_node() { # FACTOR RUN
    cp -r reports/r "reports/$2"
    local record rate
    record=$(echo "reports/$2"/nodes/*.simd.json)
    # Three matrices of int32, at the size where that is most. A ceiling is half as much again as a
    # copy moves.
    rate=$(tr -d '\r' <reports/r/speedup.csv | awk -F, '$1 == "quick" {
        x = 12 * $7 * $7 / $8 * 1e-9; if (x > most) most = x } END { print most }')
    jq --argjson f "$1" --argjson rate "$rate" \
        '.l2 = 0 | .l3 = 1 | .bandwidth_gbs = $rate / 1.5 / $f' "$record" >slower.json
    mv slower.json "$record"
    rm "reports/$2"/units/*/result.json
    "$PARAGRADE" resume -q "$2" >"$2.txt" 2>&1 || true # the reference is too fast as well
}

@test "times: what a node can do is neither flagged nor a verdict" {
    run -0 jq -c '.units[] | [.verdict, .attested]' <("$PARAGRADE" report --json r)
    assert_output $'["pass",true]\n["pass",true]'
    run -0 "$PARAGRADE" verify r
}

@test "times: faster than the node can be is flagged" {
    on_a_slower_node 1.9 fast # it may run at two thirds of its speed, and still be too fast
    run -0 jq -r '.units[] | select(.unit == "quick.simd") |
        [.verdict, .attested, .evidence] | join(" ")' <("$PARAGRADE" report --json fast)
    assert_output --regexp '^pass false simd: .*; rate: (64|384): [0-9.]+ GB/s, [12][0-9][0-9]% of the [0-9.]+ GB/s that the memory of 1 core of this node reaches at most$'
    grep -q '^quick,simd,pass,.*,no,"*simd: .*; rate: ' reports/fast/units.csv
    grep -qE '^quick.simd +flagged  .*rate: ' fast.txt
    run -0 "$PARAGRADE" report --student quick fast
    assert_line --regexp '^  flagged: .*rate: .*the points stay as they are'
    run -0 "$PARAGRADE" verify fast
    # Who takes the flag away is found out, whatever else fits.
    sed -i 's/"attested": false/"attested": true/' reports/fast/units/quick.simd/result.json
    run -1 "$PARAGRADE" verify -v fast
    assert_line --regexp 'quick.simd case [0-9]+ 1x1: attested: recorded not flagged, recomputed [0-9.]+ GB/s, [12][0-9][0-9]%'
}

@test "times: several times faster than the node can be is a verdict" {
    on_a_slower_node 12 impossible
    assert_equal "$(verdicts reports/impossible | grep 'quick simd')" \
        "quick simd clock-mismatch"
    run -0 "$PARAGRADE" report --student quick impossible
    assert_line --regexp '[0-9.]+ GB/s, [0-9]{3,}% of .*: nothing computes that fast'
    run -0 "$PARAGRADE" verify impossible
    sed -i 's/"verdict": "clock-mismatch"/"verdict": "pass"/' \
        reports/impossible/units/quick.simd/result.json
    run -1 "$PARAGRADE" verify -v impossible
    assert_line --regexp 'quick.simd case [0-9]+ 1x1: verdict: recorded pass, recomputed [0-9.]+ GB/s, [0-9]{3,}%'
}
