#!/usr/bin/env bats
# shellcheck disable=SC2154,SC2016
# Submissions that compute while the clock does not run, or look at inputs before it runs, beside an
# honest one with the same kernel.

load ../helpers/common

setup_file() {
    [ -e /dev/nvidiactl ] || return 0 # every test skips
    local name
    cd "$BATS_FILE_TMPDIR" || return 1
    sed "s|REFERENCE|$REPO/reference/gemm-i32|" "$REPO/tests/gpu/clock.yaml" >a.yaml
    for name in honest ahead early_done peek; do
        mkdir -p "subs/$name"
        cp "$REPO/tests/gpu/clock/$name.cu" "subs/$name/cuda.cu"
        cp "$REPO/tests/gpu/kernels/kernel.h" "subs/$name/"
    done
    mkdir -p peeks/peek
    cp subs/peek/* peeks/peek/
    cp "$REPO/tests/gpu/clock/peek_openacc.c" peeks/peek/openacc.c
    "$PARAGRADE" grade -q -a a.yaml --run-id clock -t cuda subs >clock.txt 2>clock.err || true
    "$PARAGRADE" grade -q -a a.yaml --run-id peeks -t mapped -t openacc peeks >peeks.txt 2>peeks.err || true
}

setup() {
    [ -e /dev/nvidiactl ] || skip "no GPU here"
    cd "$BATS_FILE_TMPDIR" || return 1
}

field() { # TABLE COLUMN AWK-CONDITION
    awk -F, -v want="$2" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } NR > 1 && ('"$3"') {
        print $at[want] }' "$1" | tr -d '\r'
}

verdict_of() { field "reports/$1/units.csv" verdict "\$1 == \"$2\" && \$2 == \"$3\""; }

@test "gpu: work off the clock gains nothing" {
    cat clock.txt clock.err
    seconds_of() { field reports/clock/speedup.csv seconds "\$1 == \"$1\""; }
    [ "$(verdict_of clock honest cuda)" = pass ]
    for name in ahead early_done peek; do
        echo "$name: $(verdict_of clock $name cuda), $(seconds_of $name) s; honest: $(seconds_of honest) s"
        [ "$(verdict_of clock $name cuda)" != pass ] ||
            awk -v a="$(seconds_of $name)" -v b="$(seconds_of honest)" 'BEGIN { exit !(a * 1.05 > b) }'
    done
    # Its computing shows in the copy back.
    [[ $(verdict_of clock early_done cuda) =~ ^(clock-mismatch|crash)$ ]]
}

@test "gpu: inputs on the device cannot be seen before the clock runs" {
    [ "$(verdict_of clock peek cuda)" = pass ]
}

@test "gpu: inputs in mapped memory cannot be seen before the clock runs" {
    cat peeks.err
    [ "$(verdict_of peeks peek mapped)" = pass ]
}

@test "gpu: inputs of OpenACC cannot be seen before the clock runs" {
    cat peeks.err
    device=$(field reports/peeks/units.csv device '$2 == "openacc"')
    [ "$device" != host ] || skip "this gcc has no offloading compiler"
    [ "$(verdict_of peeks peek openacc)" = pass ]
}
