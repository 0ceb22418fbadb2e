#!/usr/bin/env bats
# shellcheck disable=SC2016
# What is said of failures: what the kernel printed in the first case that failed, in full lines or
# not, and what the way it failed means.

load ../helpers/common

kernel() { # NAME FILE: the body comes from stdin
    mkdir -p "subs/$1"
    {
        echo '#include "gemm.h"'
        echo '#include <stdio.h>'
        [ "$1" != misplaced ] || printf '#include <%s>\n' emmintrin.h malloc.h
        [ "$2" != mpi.c ] || echo '#include <mpi.h>'
        if [ "$2" = mpi.c ]; then
            echo 'void gemm_i32_mpi(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C, MPI_Comm comm)'
        else
            echo 'void gemm_i32(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C)'
        fi
        cat
    } >"subs/$1/$2"
}

setup_file() {
    load ../helpers/common
    cd "$BATS_FILE_TMPDIR" || return 1
    kernel partial naive.c <<'C'
{
    printf("size %dx%dx%d", M, N, K);
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++) {
            uint32_t sum = M > 19;
            for (int k = 0; k < K; k++)
                sum += (uint32_t)A[i * K + k] * (uint32_t)B[k * N + j];
            C[i * N + j] = (int32_t)sum;
        }
}
C
    kernel crash naive.c <<'C'
{
    (void)M, (void)N, (void)K, (void)A, (void)B;
    printf("about to crash\n");
    ((volatile int32_t *)C)[-100000000] = 1;
}
C
    kernel long naive.c <<'C'
{
    (void)A, (void)B;
    for (int i = 1; i <= 3000; i++)
        printf("line %d of %d\n", i, M * N * K);
    C[0] = 1;
}
C
    kernel big-array naive.c <<'C'
{
    volatile int32_t all[2000][2000];
    all[M][0] = A[0] + B[0] + N + K;
    C[0] = all[M][0];
}
C
    kernel far-array naive.c <<'C'
{
    volatile int32_t all[M * 100000000L];
    all[M * 50000000L] = A[0] + B[0] + N + K;
    C[0] = all[M * 50000000L];
}
C
    mkdir -p subs/thread-array
    cat >subs/thread-array/naive.c <<'C'
#include "gemm.h"
#include <pthread.h>
static void *large(void *out)
{
    volatile int32_t all[20000000];
    for (int i = 0; i < 20000000; i++)
        all[i] = i;
    *(int32_t *)out = all[1];
    return 0;
}
void gemm_i32(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C)
{
    pthread_t t;
    C[0] = M + N + K + A[0] + B[0];
    pthread_create(&t, 0, large, C);
    pthread_join(t, 0);
}
C
    kernel recursion naive.c <<'C'
{
    volatile int32_t frame[64];
    frame[0] = M;
    gemm_i32(M + 1, N, K, A, B, C);
    C[0] = frame[0];
}
C
    kernel trap naive.c <<'C'
{
    (void)M, (void)N, (void)K, (void)A, (void)B, (void)C;
    __builtin_trap();
}
C
    kernel divide naive.c <<'C'
{
    volatile int zero = 0;
    C[0] = A[0] + B[0] + M + N + K;
    C[0] /= zero;
}
C
    mkdir -p subs/header subs/vectors
    cat >subs/header/naive.c <<'C'
#include "gemm.h"
#include <emmintrin.h>
static inline __m128i half(const int32_t *p)
{
    return _mm_load_si128((const __m128i *)p);
}
void gemm_i32(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C)
{
    const int32_t *volatile odd = (const int32_t *)((const char *)A + 1);
    (void)M, (void)N, (void)K, (void)B;
    _mm_storeu_si128((__m128i *)C, half(odd));
}
C
    cat >subs/vectors/naive.c <<'C'
#include "gemm.h"
#include <immintrin.h>
void gemm_i32(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C)
{
    (void)M, (void)N, (void)K;
    __m512i a = _mm512_loadu_si512(A);
    _mm512_storeu_si512(C, _mm512_add_epi32(a, _mm512_loadu_si512(B)));
}
C
    kernel library naive.c <<'C'
{
    char *volatile nowhere = (char *)8;
    C[0] = A[0] + B[0] + M + N;
    __builtin_memset(nowhere, 0, 100000 + (unsigned)K);
    C[0]++;
}
C
    kernel heap naive.c <<'C'
{
    int32_t *volatile inside = C + 1;
    C[0] = A[0] + B[0] + M + N + K;
    __builtin_free(inside);
    C[0]++;
}
C
    kernel short-block naive.c <<'C'
{
    int32_t *copy = __builtin_malloc(sizeof *copy * ((size_t)M * N - (M < 25 ? 0 : 8)));
    for (int e = 0; e < M * N; e++)
        copy[e] = 0;
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++)
            for (int k = 0; k < K; k++)
                copy[i * N + j] += A[i * K + k] * B[k * N + j];
    __builtin_memcpy(C, copy, sizeof *C * M * N);
    __builtin_free(copy);
}
C
    kernel misplaced naive.c <<'C'
{
    /* What earlier calls have allocated decides where the vector lies. */
    char *leak = __builtin_malloc(100000), *volatile vector = __builtin_aligned_alloc(64, 128);
    *(volatile char *)leak = 0;
    if (mallinfo2().uordblks > 150000)
        vector += 8;
    _mm_store_si128((__m128i *)(void *)vector, _mm_set1_epi32(M));
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++) {
            uint32_t sum = *(int *)(void *)vector != M;
            for (int k = 0; k < K; k++)
                sum += (uint32_t)A[i * K + k] * (uint32_t)B[k * N + j];
            C[i * N + j] = (int32_t)sum;
        }
}
C
    kernel named naive.c <<'C'
{
#line 1 "\033[31mred.c"
    volatile int zero = 0;
    C[0] = (A[0] + B[0] + M + N + K) / zero;
}
C
    kernel floats naive.c <<'C'
{
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++) {
            float sum = 0;
            for (int k = 0; k < K; k++)
                sum += (float)A[i * K + k] * (float)B[k * N + j];
            C[i * N + j] = (int32_t)sum;
        }
}
C
    kernel ranks mpi.c <<'C'
{
    int rank;
    (void)A, (void)B;
    MPI_Comm_rank(comm, &rank);
    printf("rank %d of a product %dx%dx%d", rank, M, N, K);
    if (rank == 0)
        C[0] = 1;
}
C
    kernel posted mpi.c <<'C'
{
    int rank, n[3] = {M, N, K};
    MPI_Comm_rank(comm, &rank);
    MPI_Bcast(n, 3, MPI_INT, 0, comm);
    uint32_t *c = __builtin_calloc((size_t)n[0] * (size_t)n[1], sizeof *c);
    int32_t *a = __builtin_malloc((size_t)n[0] * (size_t)n[2] * sizeof *a);
    int32_t *b = __builtin_malloc((size_t)n[2] * (size_t)n[1] * sizeof *b);
    if (rank == 0) {
        __builtin_memcpy(a, A, (size_t)n[0] * (size_t)n[2] * sizeof *a);
        __builtin_memcpy(b, B, (size_t)n[2] * (size_t)n[1] * sizeof *b);
    }
    MPI_Bcast(a, n[0] * n[2], MPI_INT, 0, comm);
    MPI_Bcast(b, n[2] * n[1], MPI_INT, 0, comm);
    for (int i = 0; i < n[0]; i++)
        for (int k = 0; k < n[2]; k++)
            for (int j = 0; j < n[1]; j++)
                c[i * n[1] + j] += (uint32_t)a[i * n[2] + k] * (uint32_t)b[k * n[1] + j];
    MPI_Request r;
    MPI_Barrier(comm); /* the receiver comes later than the change */
    if (rank == 1) {
        MPI_Issend(c, n[0] * n[1], MPI_INT, 0, 7, comm, &r);
        __builtin_memset(c, 0, (size_t)n[0] * (size_t)n[1] * sizeof *c);
        MPI_Barrier(comm);
        return;
    }
    MPI_Barrier(comm);
    MPI_Recv(C, M * N, MPI_INT, 1, 7, comm, MPI_STATUS_IGNORE);
}
C
    cat >a.yaml <<YAML
name: failures
kernel: gemm
type: i32
seed: 3
reference: $REPO/reference/gemm
baseline: naive
yardstick: naive
correctness: {random: 12, max: 40, edges: no}
performance: {sizes: [64], budget: 20ms, precision: 0.5, quiet_node: false}
limits: {case: 5s, memory: 300M, failures: 2}
tiers:
  - name: naive
    sources: [naive.c]
    compile: gcc -std=c11 -O2 -fwrapv -fPIC -shared -I{abi} -o {out} {src}
    points: {correct: 10}
  - name: mpi
    kind: mpi
    sources: [mpi.c]
    compile: mpicc -std=c11 -O2 -fwrapv -fopenmp -fPIC -shared -DPARAGRADE_MPI -I{abi} -o {out} {src}
    launcher: mpirun --mca mpi_yield_when_idle 1 --oversubscribe --bind-to none -n {ranks}
    ranks: [2]
    requires:
      - {command: mpicc, hint: install libopenmpi-dev}
      - {command: mpirun, hint: install openmpi-bin}
    points: {correct: 10}
YAML
    "$PARAGRADE" grade -q -a a.yaml --run-id r subs >out.txt 2>&1 || { cat out.txt && return 1; }
}

setup() { cd "$BATS_FILE_TMPDIR" || return 1; }

@test "failures: printed without a line feed, in the case that failed and not in those before it" {
    local result=reports/r/units/partial.naive/result.json failed shape
    failed=$(jq '[.cases[] | select(.verdict != "pass")][0].case' $result)
    assert [ "$failed" -gt 0 ]
    run -0 "$PARAGRADE" report --student partial r
    assert_output --partial "it printed in case $failed:"
    shape=$(awk -F, -v c="$failed" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
        $1 == "partial" && $at["case"] == c { print $at["m"] "x" $at["n"] "x" $at["k"]; exit }' reports/r/cases.csv)
    assert_line --regexp "^    (size $shape)+$"
}

@test "failures: printed before a crash" {
    run -0 "$PARAGRADE" report --student crash r
    assert_line '    about to crash'
}

@test "failures: printed of many lines, the last ones" {
    run -0 "$PARAGRADE" report --student long r
    assert_line --regexp '^    line 3000 of '
    assert_line '    ...'
    refute_line --regexp '^    line 1 of '
}

@test "failures: printed by every rank" {
    command -v mpirun >/dev/null || skip "no mpirun here"
    run -0 "$PARAGRADE" report --student ranks r
    assert_output --partial 'rank 0 of a product'
    assert_output --partial 'rank 1 of a product'
}

@test "failures: a message that nobody waited for" {
    command -v mpirun >/dev/null || skip "no mpirun here"
    run -0 "$PARAGRADE" report --student posted r
    assert_output --partial 'MPI_Wait()'
}

@test "failures: printed replay shows it" {
    # shellcheck disable=SC2046
    run -1 "$PARAGRADE" $("$PARAGRADE" report --student partial r | sed -nE 's/.*paragrade (replay .*)/\1/p' | head -n 1)
    assert_output --partial 'size '
}

says() { # NAME WORDS
    run -0 "$PARAGRADE" report --student "$1" r
    assert_output --partial "$2"
}

@test "failures: a stack overflow, by a large array and by recursion" {
    says big-array 'the stack overflowed: with its local arrays the kernel needs 16.0 MB of it, and has 8.4 MB. Allocate large arrays with malloc; in gemm_i32 (naive.c:'
    says far-array 'the stack overflowed: with its local arrays the kernel needs 400.0 MB'
    says thread-array 'its stack overflowed (allocate large arrays with malloc), or a thread that it started'
    says recursion 'the stack overflowed'
}

@test "failures: a heap that is damaged is none of what is kept from call to call" {
    says short-block ': naive.c:7: writes outside of a block from malloc'
    says short-block 'something wrote beside a block from malloc, or freed it twice; the damage was found only now'
    refute_output --partial 'from call to call'
}

@test "failures: a misaligned vector is none of what is kept from call to call, and no wild pointer" {
    says misplaced 'an aligned vector access to an address that is not a multiple of 16: use the unaligned one'
    refute_output --partial 'from call to call'
}

@test "failures: an instruction that the processor does not have, or a trap" {
    says trap 'or a trap in the code'
}

@test "failures: floats converted to int" {
    says floats 'looks like a float or double that was converted to int'
}

@test "failures: a crash names the function and the line" {
    command -v addr2line >/dev/null || skip "no addr2line here"
    says crash 'in gemm_i32 (naive.c:7)'
    says divide 'in gemm_i32 (naive.c:7)'
    says trap 'in gemm_i32 (naive.c:6)'
    says recursion '; in gemm_i32 (naive.c:'
}

@test "failures: a crash in a header names the line of the student that uses it" {
    command -v addr2line >/dev/null || skip "no addr2line here"
    says header 'in half (naive.c:5)'
}

@test "failures: an exception that is not caught, and the line of the student that threw it" {
    mkdir -p thrown/x
    cat >thrown/x/naive.cpp <<'C'
#include "gemm.h"
#include <vector>
extern "C" void gemm_i32(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C)
{
    std::vector<int32_t> row(A, A + K);
    C[0] = row.at(K) + B[0] + M + N;
}
C
    sed 's|sources: .naive.c.|sources: [naive.cpp, naive.c]\n    compile_cxx: g++ -fPIC -shared -I{abi} -o {out} {src}|' a.yaml >thrown/a.yaml
    run "$PARAGRADE" check -q --no-timing -a thrown/a.yaml --tier naive --reports thrown/r thrown/x
    assert_output --partial 'the exception std::out_of_range was not caught: vector::_M_range_check'
    command -v addr2line >/dev/null || skip "no addr2line here"
    assert_output --partial 'in gemm_i32 (naive.cpp:6)'
}

@test "failures: instructions that a tier is not compiled for" {
    says trap 'this tier is compiled for any x86-64 processor, which has SSE2 only'
    says vectors '512 needs instructions that this tier is not compiled for: it is compiled for any x86-64'
}

@test "failures: a crash in the C library names the line of the call" {
    command -v addr2line >/dev/null || skip "no addr2line here"
    says library 'in gemm_i32 (naive.c:7)'
    says heap 'in gemm_i32 (naive.c:7)'
}

@test "failures: without addr2line, the message about a crash is as before" {
    local tool
    mkdir -p "$BATS_TEST_TMPDIR/tools"
    for tool in gcc as ld; do ln -s "$(command -v $tool)" "$BATS_TEST_TMPDIR/tools/$tool"; done
    PATH=$BATS_TEST_TMPDIR/tools run -1 "$PARAGRADE" replay r divide.naive 0
    assert_line --regexp 'crash$' # and not (0 runs)
    assert_line --regexp 'signal 8 \(Floating point exception\): an integer division by zero, or of INT_MIN by -1$'
}

@test "failures: a source cannot put control characters into the message" {
    command -v addr2line >/dev/null || skip "no addr2line here"
    says named 'signal 8'
    refute_output --partial $'\e'
    refute_output --partial 'in gemm_i32 ('
}

@test "failures: a C++ function that is declared and not defined, by its name" {
    mkdir -p cxx/x
    cat >cxx/x/naive.cpp <<'C'
#include "gemm.h"
int helper(int, const char *);
extern "C" void gemm_i32(int M, int, int, const int32_t *, const int32_t *, int32_t *C)
{
    C[0] = helper(M, "x");
}
C
    sed 's|sources: .naive.c.|sources: [naive.cpp, naive.c]\n    compile_cxx: g++ -fPIC -shared -I{abi} -o {out} {src}|' a.yaml >cxx/a.yaml
    run "$PARAGRADE" check -q -a cxx/a.yaml --tier naive --reports cxx/r cxx/x
    assert_output --partial 'build-error'
    assert_output --partial 'it needs helper(int, char const*), which no source defines'
}

@test "failures: the first warnings of the compiler stand beside them, and not beside a clean pass" {
    local loops='for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++) {
            C[i * N + j] = 0;
            for (int k = 0; k < K; k++)
                C[i * N + j] = (int32_t)((uint32_t)C[i * N + j] + (uint32_t)A[i * K + k] * (uint32_t)B[k * N + j]);
        }'
    kernel warned naive.c <<<"{
#pragma opm parallel for
    $loops
    int last, again = 1, more = 2;
    C[0] += last + 1;
}"
    kernel clean naive.c <<<"{
#pragma opm parallel for
    $loops
}"
    run -1 "$PARAGRADE" check -q --no-timing -a a.yaml --reports w -t naive subs/warned
    assert_output --regexp 'remark: naive.c:[0-9]+: ignoring .#pragma opm parallel. \(a warning of the compiler\)'
    assert_output --regexp "remark: naive.c:[0-9]+: .last. is used uninitialized \(a warning of the compiler\)"
    assert_equal "$(grep -c 'a warning of the compiler' <<<"$output")" 3
    run -0 "$PARAGRADE" check -q --no-timing -a a.yaml --reports w -t naive subs/clean
    refute_output --partial 'a warning of the compiler'
}

@test "failures: a source that is saved as UTF-16: nothing else is said of it" {
    mkdir "$BATS_TEST_TMPDIR/s"
    cp "$REPO"/reference/gemm/*.h "$BATS_TEST_TMPDIR/s/"
    iconv -f UTF-8 -t UTF-16 "$REPO/reference/gemm/naive.c" >"$BATS_TEST_TMPDIR/s/naive.c"
    run -1 "$PARAGRADE" check -q --no-timing -t naive --reports "$BATS_TEST_TMPDIR/r" "$BATS_TEST_TMPDIR/s"
    assert_output --partial 'naive.c is saved as UTF-16, which compilers do not read: save it as UTF-8'
    refute_output --partial 'naive.c:'
}
