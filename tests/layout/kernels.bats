#!/usr/bin/env bats
# What a kernel touches. docs/architecture.md promises this list.

load ../helpers/common

# Files of the program that name a kernel. A directory of that name does not count.
naming() { # KERNEL [TREE]
    cd "${2:-$REPO}" && grep -rlP "(?<![\w/])$1(_[a-z0-9]+)*(?![\w/])" grader Makefile sbatch .ci testcases/replay 2>/dev/null | sort
}

@test "kernels: those in files are named nowhere" {
    run naming '(stencil5|mandelbrot|blur|nbody)'
    assert_output ''
}

# One kernel can be there in several forms: gemm; spmm_csr and spmm_ell.
@test "kernels: every kernel has a header, a reference and an assignment" {
    local name problem
    while read -r name; do
        problem=${name%%_*}
        [ -f "$REPO/grader/abi/$problem.h" ] || fail "$name has no header"
        compgen -G "$REPO/reference/$problem/*.c" >/dev/null || fail "$name has no reference"
        grep -rqE "^ *kernel: $name( |$)" "$REPO/testcases" --include='*.yaml' || fail "$name has no assignment"
    done < <(sed -nE 's/^KERNEL\(([a-z0-9_]+)_[a-z][0-9]+\)/\1/p' "$REPO/grader/kernel/kernels.def" | sort -u)
}

@test "kernels: the sparse product is named in its sources, in its lines, in its header, and nowhere else" {
    run naming spmm
    assert_output "grader/abi/spmm.h
grader/kernel/kernels.def
grader/kernel/spmm.c
grader/kernel/spmm.h
grader/kernel/spmm_csr.c
grader/kernel/spmm_ell.c"
}

@test "kernels: drivers know none" {
    run grep -rnE 'gemm|stencil|spmm' "$REPO/grader/driver"
    assert_output ''
}

@test "kernels: the check finds what it looks for" {
    cp -r "$REPO/grader" "$BATS_TEST_TMPDIR/grader"
    echo '/* spmm_csr_f64 */' >>"$BATS_TEST_TMPDIR/grader/report/score.c"
    run naming spmm "$BATS_TEST_TMPDIR"
    assert_line grader/report/score.c
}
