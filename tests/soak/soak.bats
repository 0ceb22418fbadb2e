#!/usr/bin/env bats
# Careful floating-point kernels are never called wrong. `make soak` checks 10^9 elements of each type.

load ../helpers/common

@test "soak: no careful sum of floats or doubles is called wrong" {
    local type program=${PARAGRADE%/bin/*}/tests/soak/honest_sums
    for type in f32 f64; do
        run -0 "$program" "$type" 1e7
        assert_line --regexp "^$type: 0 of 1\.[0-9]+e\+07 elements called wrong"
        assert_line --regexp '^4 levels'
    done
    run -2 "$program" f16 1e7
}
