#!/usr/bin/env bats
# The adapters for CUDA: alpha and beta, pointers of the host, a kernel.

load ../helpers/common

A=$REPO/testcases/adapters/gemm-f32-cuda.yaml

setup() {
    [ -e /dev/nvidiactl ] || skip "no GPU here"
    cd "$BATS_TEST_TMPDIR" || exit 1
}

expect_all() { # SUBMISSION VERDICT
    local tier
    "$PARAGRADE" check -q --no-timing -a "$A" --reports . "$REPO/testcases/adapters/examples/$1" >out.txt || [ $? = 1 ]
    for tier in alpha-beta host-pointers kernel; do
        grep -qx "$1 $tier $2" <(verdicts ./*/) || {
            cat out.txt
            fail "$1 $tier is not $2"
        }
    done
}

@test "adapters: right programs in CUDA pass" { expect_all right pass; }

@test "adapters: a lost beta, a lost term and blocks that are missing are found" { expect_all wrong wrong-answer; }
