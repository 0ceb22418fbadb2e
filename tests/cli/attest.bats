#!/usr/bin/env bats
# A tier that is right, but not done the way the tier says, is flagged - and keeps its points.

load ../helpers/common

setup_file() {
    load ../helpers/common
    cd "$BATS_FILE_TMPDIR" || exit 1
    mkdir -p subs/sham
    cat >subs/sham/simd.c <<'C'
/* Scalar, and told to stay so. */
#include "gemm.h"
#include <stddef.h>
#pragma GCC optimize("no-tree-vectorize")
void gemm_i32(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C)
{
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++) {
            int32_t sum = 0;
            for (int k = 0; k < K; k++)
                sum += A[(size_t)i * K + k] * B[(size_t)k * N + j];
            C[(size_t)i * N + j] = sum;
        }
}
C
    # One thread, though it is given two.
    grep -v '#pragma' subs/sham/simd.c >subs/sham/openmp.c
    # Other options than the tier's, in a header.
    {
        echo '/* "#pragma GCC optimize" in a comment */'
        echo '#include "fast.h"'
        cat subs/sham/openmp.c
    } | tee subs/sham/naive.c >subs/sham/strict.c
    echo '_Pragma("GCC optimize(\"O3\")")' >subs/sham/fast.h
    # Names that macros make; and macros that change nothing, with a header that does so for itself.
    mkdir subs/veiled subs/macros
    {
        printf '#define JOIN(a, b) a##b\n__attribute__((JOIN(opti, mize)("O3")))\n'
        cat subs/sham/openmp.c
    } >subs/veiled/naive.c
    {
        printf '#define FAST optimize("O3")\n__attribute__((FAST))\n'
        cat subs/sham/openmp.c
    } >subs/veiled/strict.c
    {
        printf '#define AT(x, i, j) (x)[(size_t)(i) * N + (j)]\n#include <immintrin.h>\n'
        cat subs/sham/openmp.c
    } | tee subs/macros/naive.c >subs/macros/strict.c
    cat >subs/sham/mpi.c <<'C'
/* Everybody receives B, and waits for rank 0, which computes. */
#include "gemm.h"
#include <stdlib.h>
void gemm_i32_mpi(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C,
                  MPI_Comm comm)
{
    int rank;
    MPI_Comm_rank(comm, &rank);
    int32_t *b = rank ? malloc((size_t)K * N * 4) : (int32_t *)B;
    MPI_Bcast(b, K * N, MPI_INT32_T, 0, comm);
    for (int i = 0; rank == 0 && i < M; i++)
        for (int j = 0; j < N; j++) {
            int32_t sum = 0;
            for (int k = 0; k < K; k++)
                sum += A[(size_t)i * K + k] * b[(size_t)k * N + j];
            C[(size_t)i * N + j] = sum;
        }
    MPI_Barrier(comm);
    if (rank)
        free(b);
}
C
    "$PARAGRADE" grade -q -a "$REPO/tests/fixtures/attest.yaml" --run-id r subs \
        >class.txt 2>err.txt || {
        cat err.txt
        return 1
    }
}

setup() { cd "$BATS_FILE_TMPDIR" || exit 1; }

# expect TIER PATTERN: the sham passes with all points and is flagged with this evidence; the
# reference is not (on a busy node it may be that nothing can be said of its threads).
expect() {
    local row
    row=$(jq -r ".units[] | select(.unit == \"sham.$1\") |
        [.verdict, .points, .attested, .evidence] | join(\" \")" json)
    [[ $row != *undisturbed ]] || skip "the node was never undisturbed: $row"
    [[ $row =~ ^pass\ 10(\.0)?\ false\ $2 ]] || fail "$row"
    run -0 jq -r ".units[] | select(.unit == \"reference.$1\") | .attested" json
    refute_output false
    grep -qE "^sham,$1,pass,10,.*,no,\"?$2" reports/r/units.csv || fail "$(cat reports/r/units.csv)"
}

# Launches of two workers are timed only where there are two cores.
two_cores() { [ "$(nproc)" -ge 2 ] || skip "needs two cores"; }

@test "attest: a scalar simd tier" {
    "$PARAGRADE" report --json r >json
    expect simd "simd: no vector multiplication"
}

@test "attest: a sequential openmp tier" {
    two_cores
    "$PARAGRADE" report --json r >json
    expect openmp "threads: [01]\.[0-9]+ cores busy with 2 threads: one thread did everything"
}

@test "attest: an mpi tier in which only rank 0 computes" {
    two_cores
    command -v mpicc >/dev/null || skip "no MPI"
    "$PARAGRADE" report --json r >json
    expect mpi "ranks: .*100%, 0%; .* MB through MPI: 1 of 2 ranks computed next to nothing"
}

@test "attest: instructor and student read what was flagged" {
    grep -q "^Flagged (the points stay as they are; please check)" class.txt
    grep -qE "^sham.simd +flagged  simd: no vector multiplication" class.txt
    run grep '^reference.* flagged' class.txt
    assert_output ''
    run -0 "$PARAGRADE" report --student sham r
    assert_line --regexp '^  flagged: simd: no vector multiplication .*the points stay as they are'
    assert_line --partial '  remark: nothing in openmp.c starts threads'
    run "$PARAGRADE" report --student reference r
    refute_output --partial remark
}

@test "attest: options that a source changes are named, and flagged" {
    local says="fast.h:1: #pragma GCC optimize changes the compiler's options of this tier"
    run -0 jq -r '.units[] | select(.unit == "sham.naive") |
        [.verdict, .points, .attested, .evidence] | join(" ")' <("$PARAGRADE" report --json r)
    assert_output --regexp "^pass 1(\\.0)? false $says\$"
    grep -E "^sham.naive +flagged  " class.txt | grep -qF "$says"
    run -0 "$PARAGRADE" report --student sham r
    assert_line --partial "flagged: $says (the points stay as they are; the instructor will check this)"
}

@test "attest: options that a source changes are forbidden where the tier says so" {
    run -0 jq -r '.units[] | select(.unit == "sham.strict") | [.verdict, .message] | join(" ")' \
        <("$PARAGRADE" report --json r)
    assert_output "forbidden fast.h:1: #pragma GCC optimize changes the compiler's options of this\
 tier, which the assignment forbids: remove it"
}

@test "attest: macros do not hide that a source changes options" {
    "$PARAGRADE" report --json r >json
    run -0 jq -r '.units[] | select(.submission == "veiled" and .tier == "naive") | .evidence' json
    assert_output "naive.c:2: the attribute optimize, which a macro makes, changes the compiler's\
 options of this tier"
    run -0 jq -r '.units[] | select(.submission == "veiled" and .tier == "strict") |
        [.verdict, .message] | join(" ")' json
    assert_output --partial 'forbidden strict.c:2: the attribute optimize, which a macro makes, '
    run -0 jq -r '.units[] | select(.submission == "macros" and .verdict != "missing") |
        [.tier, .verdict, .evidence] | join(" ")' json
    assert_output $'naive pass \nstrict pass '
}

@test "attest: options that a source changes are nobody's business where the tier says so" {
    run grep -E '^sham.simd .*pragma' class.txt
    assert_output ''
}

@test "attest: a tier that asks for nothing is neither attested nor flagged" {
    run -0 jq -c '.units[] | select(.unit == "reference.naive") | [.attested, .evidence]' \
        <("$PARAGRADE" report --json r)
    assert_output '[null,""]'
}

@test "attest: the evidence is part of what is verified" {
    run -0 "$PARAGRADE" verify r
    cp -r reports/r flipped
    sed -i 's/"attested": false/"attested": true/' flipped/units/sham.simd/result.json
    run -1 "$PARAGRADE" verify -v flipped
    assert_line --regexp 'sham simd\): attested: recorded no, recomputed yes$'
    rm -r flipped
}
