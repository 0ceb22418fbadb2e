#!/usr/bin/env bats
# One thread per element against tiles of shared memory: the examples, the ratio, a sweep.

load ../helpers/common

A=$REPO/testcases/gpu/gemm-cuda-tiles.yaml
EXAMPLES=$REPO/testcases/examples/gemm-cuda-tiles

setup_file() {
    load ../helpers/common
    [ -e /dev/nvidiactl ] || return 0 # every test skips
    cd "$BATS_FILE_TMPDIR" || exit 1
    "$PARAGRADE" grade -q -a "$A" -p quick --run-id r "$EXAMPLES" >out.txt 2>err.txt || [ $? = 1 ] || {
        cat err.txt
        return 1
    }
}

setup() {
    [ -e /dev/nvidiactl ] || skip "no GPU here"
    cd "$BATS_FILE_TMPDIR" || exit 1
}

expect() { has_verdict reports/r "$@" out.txt; } # SUBMISSION TIER VERDICT

@test "tiles: the reference and honest kernels pass" {
    local tier
    for tier in naive tiled unroll register; do expect reference $tier pass; done
    expect ana naive pass
    expect ana tiled pass
    expect cleo naive pass
}

@test "tiles: a lost barrier and a lost rest of K are found" {
    expect ben tiled wrong-answer
    expect cleo tiled wrong-answer
}

@test "tiles: the ratio of tiled and naive is in versus.csv, for each size" {
    run -0 grep -c '^ana,tiled,naive,1,1,1,1,' reports/r/versus.csv
    assert_output 4
}

@test "tiles: a sweep over the tile shows all of them" {
    run -0 "$PARAGRADE" sweep -q -a "$A" -p quick --sweep tile --run-id s "$EXAMPLES/ana"
    run -0 grep -cE '^ana,.*TILE=(8|16|32),.*,pass,' reports/s/sweep.csv
    assert_output 12
}
