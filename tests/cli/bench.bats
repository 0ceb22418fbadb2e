#!/usr/bin/env bats
# shellcheck disable=SC2154
# make bench, one round of it at small sizes: that everything builds, runs and is right. How fast it is depends on
# the machine and is nobody's verdict.

load ../helpers/common

setup() {
    [ -d /usr/include/eigen3 ] || skip "the peers need Eigen: .ci/deps bench"
}

@test "bench: references, peers and ceilings in one table, and the goals" {
    make -s -C "$REPO" build/bench/gemm_i32
    run "$REPO/build/bench/gemm_i32" --rounds 1 --small
    assert_success
    local size kernel
    for size in 127 128 256; do
        for kernel in locality simd openmp mpi 'peer: Eigen' 'peer: blocked loop' 'ceiling: '; do
            assert_line --regexp "^ *${size} +$kernel"
        done
    done
    assert_equal "$(grep -cE '[[:space:]](yes|no)$' <<<"$output")" 12
}

@test "bench: the reference of an assignment, with what it is compared with" {
    local library libraries=(blas)
    [ ! -e /usr/lib/x86_64-linux-gnu/libblis.so ] || libraries+=(blis)
    run "$REPO/bench/reference" gemm-f64-blas -q -p quick -t simd "${libraries[@]/#/-t}"
    assert_success
    for library in "${libraries[@]}"; do
        assert_line --regexp "^reference +simd +reference:${library} +1 thread +512 "
    done
    run "$REPO/bench/reference" gemm-f16
    assert_failure 2
    assert_output --partial 'there is no assignment gemm-f16; there are: '
    assert_output --partial ' stencil'
}

@test "bench: wrong arguments" {
    make -s -C "$REPO" build/bench/gemm_i32
    run "$REPO/build/bench/gemm_i32" --rounds 0
    assert_failure 2
    assert_output --partial '--rounds: 1 to 99'
}
