#!/usr/bin/env bats
# The adapters for CUDA: alpha and beta, pointers of the host, a kernel.

load ../helpers/common

A=$REPO/testcases/adapters/gemm-f32-cuda.yaml

setup() {
    [ -e /dev/nvidiactl ] || skip "no GPU here"
    cd "$BATS_TEST_TMPDIR" || exit 1
}

expect_all() { # SUBMISSION VERDICT [VERDICT-OF-HOST-POINTERS]
    local tier verdict
    "$PARAGRADE" check -q --no-timing -a "$A" --reports . "$REPO/testcases/adapters/examples/$1" >out.txt || [ $? = 1 ]
    for tier in alpha-beta host-pointers kernel; do
        verdict=$2
        [ "$tier" != host-pointers ] || verdict=${3:-$2}
        grep -qx "$1 $tier $verdict" <(verdicts ./*/) || {
            cat out.txt
            fail "$1 $tier is not $verdict"
        }
    done
}

@test "adapters: right programs in CUDA pass" { expect_all right pass; }

@test "adapters: a lost beta, a lost term and blocks that are missing are found" {
    # Below 16 rows the grid has no blocks, CUDA refuses it, and the program exits.
    expect_all wrong wrong-answer crash
    assert grep -qF 'line 32: invalid ' out.txt
}
