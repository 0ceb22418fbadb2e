#!/usr/bin/env bats
# shellcheck disable=SC2154,SC2016
# Submissions that compute while the clock does not run, beside an honest one with the same kernel.

load ../helpers/common

field() { # TABLE COLUMN AWK-CONDITION
    awk -F, -v want="$2" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } NR > 1 && ('"$3"') {
        print $at[want] }' "$1" | tr -d '\r'
}

@test "gpu: work off the clock gains nothing" {
    [ -e /dev/nvidiactl ] || skip "no GPU here"
    cd "$BATS_TEST_TMPDIR"
    sed "s|REFERENCE|$REPO/reference/gemm-i32|" "$REPO/tests/gpu/gpu.yaml" >a.yaml
    for k in "$REPO"/tests/gpu/clock/*.cu; do
        name=$(basename "$k" .cu)
        mkdir -p "subs/$name"
        cp "$k" "subs/$name/cuda.cu"
        cp "$REPO/tests/gpu/kernels/kernel.h" "subs/$name/"
    done
    "$PARAGRADE" grade -q -a a.yaml --run-id clock -t cuda subs >clock.txt 2>clock.err 3>&-
    cat clock.txt clock.err
    honest=$(field reports/clock/speedup.csv seconds '$1 == "honest"')
    [ "$(field reports/clock/units.csv verdict '$1 == "honest"')" = pass ]
    for k in "$REPO"/tests/gpu/clock/*.cu; do
        name=$(basename "$k" .cu)
        verdict=$(field reports/clock/units.csv verdict "\$1 == \"$name\"")
        seconds=$(field reports/clock/speedup.csv seconds "\$1 == \"$name\"")
        echo "$name: $verdict, $seconds s; honest: $honest s"
        [ "$verdict" != pass ] || awk -v a="$seconds" -v b="$honest" 'BEGIN { exit !(a * 1.15 > b) }'
    done
    # Its computing shows in the copy back.
    [[ $(field reports/clock/units.csv verdict '$1 == "early_done"') =~ ^(clock-mismatch|crash)$ ]]
}
