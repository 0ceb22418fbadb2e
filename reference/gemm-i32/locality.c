/*
 * locality: the same scalar arithmetic and the same compiler flags as naive, with the loops turned
 * and tiled so that every cache line that is fetched is used whole and used again.
 *
 *   - i,k,j order inside a tile: B and C are walked along their rows, at stride 1.
 *   - Four rows of C at a time share every row of B that is loaded (register blocking): one load
 *     of B feeds four multiply-adds.
 *   - Tiles of KC rows by NC columns of B (64 x 512 x 4 bytes = 128 KiB) stay in the second-level
 *     cache while all rows of A pass by; the four rows of C in a tile stay in the first level.
 *
 * build  gcc -std=c11 -O2 -fwrapv -fPIC -shared -I<abi> -o locality.so locality.c
 * run    paragrade check --tier locality reference/gemm-i32
 */
#include "gemm.h"

#include <stddef.h>
#include <string.h>

enum { KC = 64, NC = 512 };

static int least(int a, int b)
{
    return a < b ? a : b;
}

/* Four rows of C, columns [0, n): C += A(4 x kc) * B(kc x n). */
static void four_rows(int n, int kc, size_t lda, size_t ldb, size_t ldc, const int32_t *A,
                      const int32_t *B, int32_t *C)
{
    int32_t *restrict c0 = C, *restrict c1 = C + ldc, *restrict c2 = C + 2 * ldc,
                      *restrict c3 = C + 3 * ldc;
    int k = 0;
    /* Two rows of B per pass: C is loaded and stored half as often. */
    for (; k + 1 < kc; k += 2) {
        const int32_t *restrict b = B + (size_t)k * ldb, *restrict d = b + ldb;
        const int32_t *a = A + k;
        int32_t a0 = a[0], a1 = a[lda], a2 = a[2 * lda], a3 = a[3 * lda];
        int32_t e0 = a[1], e1 = a[lda + 1], e2 = a[2 * lda + 1], e3 = a[3 * lda + 1];
        for (int j = 0; j < n; j++) {
            c0[j] += a0 * b[j] + e0 * d[j];
            c1[j] += a1 * b[j] + e1 * d[j];
            c2[j] += a2 * b[j] + e2 * d[j];
            c3[j] += a3 * b[j] + e3 * d[j];
        }
    }
    for (; k < kc; k++) {
        const int32_t *restrict b = B + (size_t)k * ldb;
        const int32_t *a = A + k;
        int32_t a0 = a[0], a1 = a[lda], a2 = a[2 * lda], a3 = a[3 * lda];
        for (int j = 0; j < n; j++) {
            c0[j] += a0 * b[j];
            c1[j] += a1 * b[j];
            c2[j] += a2 * b[j];
            c3[j] += a3 * b[j];
        }
    }
}

static void one_row(int n, int kc, size_t ldb, const int32_t *A, const int32_t *B,
                    int32_t *restrict C)
{
    for (int k = 0; k < kc; k++) {
        const int32_t *restrict b = B + (size_t)k * ldb;
        int32_t a = A[k];
        for (int j = 0; j < n; j++)
            C[j] += a * b[j];
    }
}

void gemm_i32(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C)
{
    size_t lda = (size_t)K, ldb = (size_t)N, ldc = (size_t)N;
    memset(C, 0, (size_t)M * ldc * sizeof *C);
    for (int jc = 0; jc < N; jc += NC) {
        int nc = least(NC, N - jc);
        for (int kc0 = 0; kc0 < K; kc0 += KC) {
            int kc = least(KC, K - kc0);
            const int32_t *b = B + (size_t)kc0 * ldb + jc;
            int i = 0;
            for (; i + 4 <= M; i += 4)
                four_rows(nc, kc, lda, ldb, ldc, A + (size_t)i * lda + kc0, b,
                          C + (size_t)i * ldc + jc);
            for (; i < M; i++)
                one_row(nc, kc, ldb, A + (size_t)i * lda + kc0, b, C + (size_t)i * ldc + jc);
        }
    }
}
