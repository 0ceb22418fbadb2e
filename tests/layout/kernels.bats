#!/usr/bin/env bats
# What a kernel touches. docs/adding-a-kernel.md promises this list.

load ../helpers/common

# Files of the program that name a kernel.
naming() { # KERNEL [TREE]
    cd "${2:-$REPO}" && grep -rlwE "$1(_[a-z0-9]+)*" grader Makefile sbatch .ci testcases/replay 2>/dev/null | sort
}

@test "kernels: the stencil is named in its source, in one line, in its header, and nowhere else" {
    run naming stencil5
    assert_output "grader/abi/stencil5.h
grader/kernel/kernels.def
grader/kernel/stencil5.c"
    run grep -c stencil5 "$REPO/grader/kernel/kernels.def"
    assert_output 1
}

@test "kernels: every kernel has a header, a reference and an assignment" {
    local kernel
    while read -r kernel; do
        [ -f "$REPO/grader/abi/$kernel.h" ] || fail "$kernel has no header"
        [ -f "$REPO/reference/$kernel/naive.c" ] || fail "$kernel has no reference"
        grep -rqx "kernel: $kernel" "$REPO/testcases" --include='*.yaml' || fail "$kernel has no assignment"
    done < <(sed -nE 's/^KERNEL\(([a-z0-9]+)_.*/\1/p' "$REPO/grader/kernel/kernels.def" | sort -u)
}

@test "kernels: drivers know none" {
    run grep -rnE 'gemm|stencil' "$REPO/grader/driver"
    assert_output ''
}

@test "kernels: the check finds what it looks for" {
    cp -r "$REPO/grader" "$BATS_TEST_TMPDIR/grader"
    echo '/* stencil5_f64 */' >>"$BATS_TEST_TMPDIR/grader/report/score.c"
    run naming stencil5 "$BATS_TEST_TMPDIR"
    assert_line grader/report/score.c
}
