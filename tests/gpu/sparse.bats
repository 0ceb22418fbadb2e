#!/usr/bin/env bats
# Sparse products on a GPU.

load ../helpers/common

setup_file() {
    load ../helpers/common
    cd "$BATS_FILE_TMPDIR" || exit 1
    "$PARAGRADE" grade -q -a "$REPO/testcases/spmm/spmm.yaml" -p quick -t csr-cuda -t ell-cuda \
        --run-id r "$REPO/testcases/examples/spmm" >out.txt 2>err.txt || [ $? = 1 ] || {
        cat err.txt
        return 1
    }
}

expect() { # SUBMISSION TIER VERDICT
    grep -qx "$1 $2 $3" <(verdicts "$BATS_FILE_TMPDIR/reports/r") || {
        cat "$BATS_FILE_TMPDIR/out.txt"
        fail "$1 $2 is not $3"
    }
}

@test "sparse products on a GPU: the reference passes in both formats, and an unchanged template is missing" {
    local tier
    for tier in csr-cuda ell-cuda; do
        expect reference $tier pass
        expect template $tier missing
    done
}

@test "sparse products on a GPU: the profile has the kernels of the submission, and none of the driver" {
    local file=$BATS_FILE_TMPDIR/reports/r/profile.csv tier
    [ -e "$file" ] || skip "the driver has no profiler"
    for tier in csr-cuda ell-cuda; do
        run -0 grep "^reference,$tier,[^,]*,kernel," "$file"
        refute_output --partial unmask
    done
}
