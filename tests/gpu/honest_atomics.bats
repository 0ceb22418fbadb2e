#!/usr/bin/env bats
# shellcheck disable=SC2154
# Sums of floats and doubles by atomicAdd. Their order changes from run to run, and so do their last bits.

load ../helpers/common

# The shipped assignment, whose quick profile has more cases here, larger ones, and more runs of each.
make_assignment() { # TYPE
    sed -E "s|^reference: .*|reference: $REPO/reference/gemm|; s|^    random: .*|    random: 100|
        s|^    max: .*|    max: 600|; s|^  repeat: .*|  repeat: 20|" \
        "$REPO/testcases/float/gemm-$1.yaml" >"$1.yaml"
}

setup_file() {
    [ -e /dev/nvidiactl ] || return 0 # every test skips
    local type from=$REPO/tests/gpu/honest_atomics/split_k.cu
    cd "$BATS_FILE_TMPDIR" || return 1
    mkdir -p subs/{parts,terms,races}
    cp "$from" subs/parts/cuda.cu
    sed 's/DEPTH = 8/DEPTH = 1/' "$from" >subs/terms/cuda.cu
    sed -E 's/atomicAdd\(&(.*), sum\)/\1 += sum/' "$from" >subs/races/cuda.cu
    for type in f32 f64; do
        make_assignment $type
        "$PARAGRADE" grade -q -a $type.yaml -p quick --run-id $type -t cuda subs >$type.txt 2>$type.err || true
    done
}

setup() {
    [ -e /dev/nvidiactl ] || skip "no GPU here"
    cd "$BATS_FILE_TMPDIR" || return 1
}

expect() { has_verdict "reports/$1" "$2" cuda "$3" "$1.txt" "$1.err"; } # TYPE SUBMISSION VERDICT

# Cases whose results are not exact.
rounded() { # TYPE SUBMISSION
    awk -F, -v name="$2" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
        $1 == name && $at["error_rms"] > 0 { n++ } END { print n + 0 }' "reports/$1/cases.csv"
}

@test "atomics: sums in an order that changes are right" {
    local type name
    for type in f32 f64; do
        for name in parts terms; do
            expect $type $name pass
            [ "$(rounded $type $name)" -ge 10 ]
        done
    done
}

@test "atomics: sums without atomicAdd, which lose terms, are wrong" {
    local type
    for type in f32 f64; do expect $type races wrong-answer; done
}
