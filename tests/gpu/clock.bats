#!/usr/bin/env bats
# shellcheck disable=SC2154,SC2016
# Submissions that compute while the clock does not run, or look at inputs before it runs, beside an
# honest one with the same kernel.

load ../helpers/common

setup_file() {
    [ -e /dev/nvidiactl ] || return 0 # every test skips
    local name
    cd "$BATS_FILE_TMPDIR" || return 1
    sed "s|REFERENCE|$REPO/reference/gemm|" "$REPO/tests/gpu/clock.yaml" >a.yaml
    for name in honest ahead batch early_done overlap peek slow_overhead; do
        mkdir -p "subs/$name"
        cp "$REPO/tests/gpu/clock/$name.cu" "subs/$name/cuda.cu"
        cp "$REPO/tests/gpu/kernels/kernel.h" "$REPO/tests/fixtures/emulated/hook.h" "subs/$name/"
        copy_protocol "subs/$name"
    done
    cp -r subs/batch subs/batch.honest
    sed -i '1i #define HONEST' subs/batch.honest/cuda.cu
    for name in honest early_done peek; do
        mkdir -p "others/$name"
        cp "subs/$name"/* "others/$name/"
    done
    cp "$REPO/tests/gpu/clock/peek_openacc.c" others/peek/openacc.c
    "$PARAGRADE" grade -q -a a.yaml --run-id clock -t cuda subs >clock.txt 2>clock.err || true
    "$PARAGRADE" grade -q -a a.yaml --run-id others -t mapped -t openacc others >others.txt 2>others.err || true
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
# The interval of the time at 1024: "LOW HIGH".
interval_of() { # RUN SUBMISSION TIER
    local condition="\$1 == \"$2\" && \$2 == \"$3\" && \$at[\"kind\"] == \"performance\""
    echo "$(field "reports/$1/cases.csv" ci_low_seconds "$condition")" \
        "$(field "reports/$1/cases.csv" ci_high_seconds "$condition")"
}

# A submission gains if its whole interval is more than 5 % below the interval of the honest one.
gains_nothing() { # RUN SUBMISSION TIER [HONEST-SUBMISSION]
    local own honest by=${4:-honest}
    own=$(interval_of "$1" "$2" "$3") honest=$(interval_of "$1" "$by" "$3")
    echo "$2: $(verdict_of "$1" "$2" "$3"), $own s; honest: $honest s"
    [ "$(verdict_of "$1" "$by" "$3")" = pass ]
    [ "$(verdict_of "$1" "$2" "$3")" != pass ] ||
        awk -v own="$own" -v honest="$honest" 'BEGIN { split(own, a, " "); split(honest, b, " ")
            exit !(a[2] > 0 && b[1] > 0 && a[2] * 1.05 > b[1]) }'
}

@test "gpu: work off the clock gains nothing" {
    cat clock.txt clock.err
    for name in ahead early_done overlap peek slow_overhead; do
        gains_nothing clock $name cuda
    done
}

@test "gpu: the first call of a run cannot compute the others" {
    cat clock.txt clock.err
    gains_nothing clock batch cuda batch.honest
}

@test "gpu: a copy that waits for kernels is part of the time, where the yardstick has other memory" {
    cat others.txt others.err
    gains_nothing others early_done mapped
}

@test "gpu: inputs on the device cannot be seen before the clock runs" {
    [ "$(verdict_of clock peek cuda)" = pass ]
}

@test "gpu: inputs in mapped memory cannot be seen before the clock runs" {
    cat others.txt others.err
    [ "$(verdict_of others peek mapped)" = pass ]
}

@test "gpu: inputs of OpenACC cannot be seen before the clock runs" {
    cat others.txt others.err
    device=$(field reports/others/units.csv device '$2 == "openacc"')
    [ "$device" != host ] || skip "this gcc has no offloading compiler"
    [ "$(verdict_of others peek openacc)" = pass ]
}
