#!/usr/bin/env bats
# The float product with threads, ISPC and AVX. Where ISPC is not installed, its tier is skipped.

load ../helpers/common

setup_file() {
    load ../helpers/common
    cd "$BATS_FILE_TMPDIR" || exit 1
    # Small sizes and short times: they need not be precise here.
    sed -e "s|reference: .*|reference: $REPO/reference/gemm|; /^template:/d" -e 's/budget: [0-9]*ms/budget: 1ms/' \
        -e 's/precision: 0.05/precision: 0.3/' -e 's/quiet_node: true/quiet_node: false/' -e '/^kernel:/a sanitized: off' \
        -e 's/sizes: \[512\]/sizes: [256]/' -e 's/{size: 512,/{size: 256,/' \
        "$REPO/testcases/ispc/gemm-f32-ispc.yaml" >a.yaml
    "$PARAGRADE" grade -q -a a.yaml -p quick --run-id r "$REPO/testcases/examples/gemm-f32-ispc" \
        >out.txt 2>err.txt || [ $? = 1 ] || {
        cat err.txt
        return 1
    }
}

setup() { cd "$BATS_FILE_TMPDIR" || exit 1; }

expect() { has_verdict reports/r "$@" out.txt; } # SUBMISSION TIER VERDICT

@test "ispc: the reference and honest submissions pass, in C and in C++" {
    local tier
    for tier in naive threads avx; do
        expect reference $tier pass
        expect ana $tier pass
    done
    expect cleo naive pass
}

@test "ispc: lost rows, lost columns and halves are found, and the messages say so" {
    expect ben threads wrong-answer
    expect ben avx wrong-answer
    expect cleo avx wrong-answer
    run -0 grep '^ben.threads' out.txt
    assert_output --partial 'the number of threads'
    run -0 grep '^ben.avx' out.txt
    assert_output --partial 'is not a multiple of 8'
    run -0 grep '^cleo,avx,.*uniform' reports/r/cases.csv
    assert_output --partial 'is there a TF32 or 16-bit product inside?'
}

@test "ispc: its tier is built in two steps, or skipped with where to get it" {
    if command -v ispc >/dev/null; then
        expect reference spmd pass
        expect ana spmd pass
        run -0 jq -r .build_command reports/r/units/ana.spmd/result.json
        assert_output --regexp '^ispc .* && gcc '
    else
        expect reference spmd skipped
        run -0 cat out.txt
        assert_output --partial 'spmd skipped: this machine has no ispc: install it from https://ispc.github.io'
    fi
}

@test "ispc: the steps of the ladder are compared" {
    run -0 cut -d, -f1-3 reports/r/versus.csv
    assert_line ana,avx,naive
    assert_line ana,threads,naive
}
