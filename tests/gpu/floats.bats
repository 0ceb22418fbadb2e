#!/usr/bin/env bats
# Products of floats and doubles on a GPU.

load ../helpers/common

setup_file() {
    load ../helpers/common
    local type
    cd "$BATS_FILE_TMPDIR" || exit 1
    for type in f32 f64; do
        "$PARAGRADE" grade -q -a "$REPO/testcases/float/gemm-$type.yaml" -p quick -t cuda -t openacc \
            --run-id $type "$REPO/testcases/examples/gemm-$type" >$type.txt 2>err.txt || [ $? = 1 ] || {
            cat err.txt
            return 1
        }
    done
}

expect() { has_verdict "$BATS_FILE_TMPDIR/reports/$1" "${@:2}" "$BATS_FILE_TMPDIR/$1.txt"; } # TYPE SUBMISSION TIER VERDICT

@test "floats on a GPU: the reference and a plain kernel pass" {
    local type
    for type in f32 f64; do
        expect $type reference cuda pass
        expect $type reference openacc pass
        expect $type ana cuda pass
    done
}

@test "floats on a GPU: what TF32 computes is wrong, and is called by its name" {
    expect f32 ben cuda wrong-answer
    run -0 grep -h '^ben,cuda,.*uniform.*wrong-answer' "$BATS_FILE_TMPDIR/reports/f32/cases.csv"
    assert_output --partial 'is there a TF32 or 16-bit product inside?'
}

@test "floats on a GPU: the peak is that of the type" {
    local f32 f64
    f32=$(jq .peak_gops "$BATS_FILE_TMPDIR"/reports/f32/nodes/*.cuda.json)
    f64=$(jq .peak_gops "$BATS_FILE_TMPDIR"/reports/f64/nodes/*.cuda.json)
    awk -v a="$f32" -v b="$f64" 'BEGIN { exit !(a > 1.5 * b && b > 0) }'
}
