#!/usr/bin/env bats
# A kernel that is no product: two dimensions, one input. Everything that names dimensions and operands
# must name the right ones.

load ../helpers/common

setup_file() {
    load ../helpers/common
    cd "$BATS_FILE_TMPDIR" || exit 1
    # Small sizes and short times; no sanitizers; few launches, with too many workers to be timed.
    sed -e "s|reference: .*|reference: $REPO/testcases/stencil/reference|; s|kernel: kernel|kernel: $REPO/testcases/stencil/kernel|" -e 's/budget: [0-9]*ms/budget: 1ms/' \
        -e 's/precision: 0.05/precision: 0.3/' -e 's/quiet_node: true/quiet_node: false/' \
        -e '/^kernel:/a sanitized: off' -e 's/\(threads\|ranks\): \[1, 2, 4\]/\1: [3]/' -e 's/stress_threads: .*/stress_threads: [2]\n  smallest_time: 50ms/' \
        -e 's/mpirun --over/mpirun --mca mpi_yield_when_idle 1 --over/' \
        -e 's/sizes: \[512, 1024\]/sizes: [512, 300x400]/' "$REPO/testcases/stencil/assignment.yaml" >a.yaml
    cp -r "$REPO/testcases/stencil/examples" subs
    mkdir subs/dora # writes one point too many in each row
    sed 's/j < N; j++/j <= N; j++/' subs/ana/naive.c >subs/dora/naive.c
    mkdir subs/emil # differences in vectors: there is no multiplication
    cat >subs/emil/simd.c <<'C'
#include "stencil5.h"
#include <stddef.h>
#include <string.h>
typedef double vector __attribute__((vector_size(32)));
static vector load(const double *p)
{
    vector v;
    memcpy(&v, p, sizeof v);
    return v;
}
void stencil5_f64(int M, int N, const double *in, double *out)
{
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++) {
            const double *p = in + (size_t)i * N + j;
            double *to = out + (size_t)i * N + j;
            if (i > 0 && i + 1 < M && j > 0 && j + 4 < N) {
                vector x = load(p);
                vector y = load(p - N) - x + (load(p + N) - x) + (load(p - 1) - x) + (load(p + 1) - x);
                memcpy(to, &y, sizeof y);
                j += 3;
            } else
                *to = (i > 0 ? p[-N] : 0) - *p + ((i + 1 < M ? p[N] : 0) - *p) +
                      ((j > 0 ? p[-1] : 0) - *p) + ((j + 1 < N ? p[1] : 0) - *p);
        }
}
C
    # Kernels for GPUs are compiled for seconds, also without a GPU.
    "$PARAGRADE" grade -q -a a.yaml -p quick -t naive -t simd -t openmp -t mpi --run-id r subs \
        >out.txt 2>err.txt || [ $? = 1 ] || {
        cat err.txt
        return 1
    }
}

setup() { cd "$BATS_FILE_TMPDIR" || exit 1; }

expect() { has_verdict reports/r "$@" out.txt; } # SUBMISSION TIER VERDICT

@test "stencil: the reference passes in every tier" {
    local tier
    for tier in naive simd openmp mpi; do expect reference $tier pass; done
}

@test "stencil: another order of additions passes, neighbours across an edge and a float do not" {
    expect ana naive pass
    expect ana openmp pass
    expect ben naive wrong-answer
    expect cleo naive wrong-answer
    expect dora naive wrote-out-of-bounds
    run -0 grep '^cleo,.*uniform' reports/r/cases.csv
    assert_output --partial 'is there a float inside?'
}

@test "stencil: sums in vectors are enough for the simd tier" {
    expect emil simd pass
    run -0 jq -r '.units[] | select(.unit == "emil.simd") | .attested, .evidence' \
        <("$PARAGRADE" report --json r)
    assert_line --index 0 true
    assert_line --index 1 --regexp '^simd: v(add|sub)pd on ymm: '
}

@test "stencil: tables and messages have its dimensions and operands" {
    run -0 head -n 1 reports/r/cases.csv
    assert_output --partial ',kind,m,n,values,'
    run -0 "$PARAGRADE" cases a.yaml
    assert_line --index 0 --regexp 'kind.*m.*n.*values'
    run -0 jq -r '.[0] | has("m") and has("n") and (has("k") | not)' <("$PARAGRADE" cases --json a.yaml)
    assert_output true
    run -0 grep '^ben,.*wrong-answer' reports/r/cases.csv
    assert_output --regexp 'out\[[0-9]+\]\[[0-9]+\]: expected'
    run -0 jq -c '[.units[].failed_cases[].shape | keys] | unique' <("$PARAGRADE" report --json r)
    assert_output '[["m","n"]]'
}

@test "stencil: sizes have two numbers" {
    run -2 "$PARAGRADE" check -q -a a.yaml --size 30x40x50 subs/ana
    assert_output --partial "--size: '30x40x50' is not a size; write 1024, or 300x20 for M x N"
    sed 's/sizes: \[512, 300x400\]/sizes: [512, 3x4x5]/' a.yaml >b.yaml
    run -2 "$PARAGRADE" cases b.yaml
    assert_output --regexp "b.yaml:[0-9]+:.*'3x4x5' is not a size"
    sed 's/^type: f64/type: i32/' a.yaml >b.yaml
    run -2 "$PARAGRADE" cases b.yaml
    assert_output --partial 'chooses one of: f64; it has i32'
}

@test "stencil: one size alone is timed, and the partial run can be reported" {
    run -0 "$PARAGRADE" check -q -a a.yaml --size 300x400 --tier naive --reports part subs/ana
    assert_output --partial '300x400'
    refute_line --regexp '^ +512 '
    run -0 "$PARAGRADE" report part/*
    assert_output --partial 'size 300x400'
}

@test "stencil: a failed case is replayed and exported" {
    local number
    number=$(sed -nE 's/^ben,naive,([0-9]+),.*,wrong-answer,.*/\1/p' reports/r/cases.csv | head -n 1)
    run "$PARAGRADE" replay r ben.naive "$number"
    assert_output --regexp '[0-9]+ x [0-9]+ \(M x N\), [a-z]+ values'
    local who
    for who in ana ben; do # 7: rounded values
        run -0 "$PARAGRADE" replay r "$who.naive" 7 --export "$BATS_TEST_TMPDIR/$who"
        run make -C "$BATS_TEST_TMPDIR/$who" run
        [ "$who" = ana ] && assert_output --partial '0 of 1 runs failed'
        [ "$who" = ana ] || assert_output --partial '1 of 1 runs failed'
    done
}

@test "stencil: verify recomputes everything" {
    run -0 "$PARAGRADE" verify r
}
