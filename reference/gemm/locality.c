/*
 * locality: the same scalar arithmetic and the same compiler flags as naive, with the loops turned
 * and tiled so that every cache line that is fetched is used whole and used again.
 *
 *   - i,k,j order inside a tile: B and C are walked along their rows, at stride 1.
 *   - Four rows of C at a time share every row of B that is loaded (register blocking): one load
 *     of B feeds four multiply-adds.
 *   - Tiles of KC rows by NC columns of B (64 x 512 x 4 bytes = 128 KiB) stay in the second-level
 *     cache while all rows of A pass by; the four rows of C in a tile stay in the first level.
 *   - Both are copied to buffers whose rows are 512 + 16 elements apart. In the matrices, rows of a
 *     power-of-two size are a multiple of 4096 bytes apart: they share one set of the first-level
 *     cache, and a store to one row seems to overlap the loads of the others, which then wait.
 *
 * build  gcc -std=c11 -O2 -fwrapv -fPIC -shared -I<abi> -o locality.so locality.c
 * run    paragrade check --tier locality reference/gemm
 */
#include "element.h"
#include "gemm.h"

#include <stddef.h>
#include <string.h>

enum { KC = 64, NC = 512, ROWS = 4 };
#define LD ((size_t)NC + 16) /* of a row of the buffers */

static int least(int a, int b)
{
    return a < b ? a : b;
}

/* Four rows of C, columns [0, n): C += A(4 x kc) * B(kc x n). Rows of B and C are LD apart. */
static void four_rows(int n, int kc, size_t lda, const element *A, const element *B, element *C)
{
    element *restrict c0 = C, *restrict c1 = C + LD, *restrict c2 = C + 2 * LD,
                      *restrict c3 = C + 3 * LD;
    int k = 0;
    /* Two rows of B per pass: C is loaded and stored half as often. */
    for (; k + 1 < kc; k += 2) {
        const element *restrict b = B + k * LD, *restrict d = b + LD;
        const element *a = A + k;
        element a0 = a[0], a1 = a[lda], a2 = a[2 * lda], a3 = a[3 * lda];
        element e0 = a[1], e1 = a[lda + 1], e2 = a[2 * lda + 1], e3 = a[3 * lda + 1];
        for (int j = 0; j < n; j++) {
            c0[j] += a0 * b[j] + e0 * d[j];
            c1[j] += a1 * b[j] + e1 * d[j];
            c2[j] += a2 * b[j] + e2 * d[j];
            c3[j] += a3 * b[j] + e3 * d[j];
        }
    }
    for (; k < kc; k++) {
        const element *restrict b = B + k * LD;
        const element *a = A + k;
        element a0 = a[0], a1 = a[lda], a2 = a[2 * lda], a3 = a[3 * lda];
        for (int j = 0; j < n; j++) {
            c0[j] += a0 * b[j];
            c1[j] += a1 * b[j];
            c2[j] += a2 * b[j];
            c3[j] += a3 * b[j];
        }
    }
}

static void one_row(int n, int kc, const element *A, const element *B, element *restrict C)
{
    for (int k = 0; k < kc; k++) {
        const element *restrict b = B + k * LD;
        element a = A[k];
        for (int j = 0; j < n; j++)
            C[j] += a * b[j];
    }
}

static void copy(int rows, int n, const element *from, size_t ld_from, element *to, size_t ld_to)
{
    for (int i = 0; i < rows; i++)
        memcpy(to + (size_t)i * ld_to, from + (size_t)i * ld_from, (size_t)n * sizeof *to);
}

void GEMM(int M, int N, int K, const element *A, const element *B, element *C)
{
    size_t lda = (size_t)K, ldb = (size_t)N, ldc = (size_t)N;
    element b[KC * LD], c[ROWS * LD];
    memset(C, 0, (size_t)M * ldc * sizeof *C);
    for (int jc = 0; jc < N; jc += NC) {
        int nc = least(NC, N - jc);
        for (int kc0 = 0; kc0 < K; kc0 += KC) {
            int kc = least(KC, K - kc0);
            copy(kc, nc, B + (size_t)kc0 * ldb + jc, ldb, b, LD);
            for (int i = 0; i < M; i += ROWS) {
                int rows = least(ROWS, M - i);
                const element *a = A + (size_t)i * lda + kc0;
                element *there = C + (size_t)i * ldc + jc;
                copy(rows, nc, there, ldc, c, LD);
                if (rows == ROWS)
                    four_rows(nc, kc, lda, a, b, c);
                else
                    for (int r = 0; r < rows; r++)
                        one_row(nc, kc, a + (size_t)r * lda, b, c + r * LD);
                copy(rows, nc, c, LD, there, ldc);
            }
        }
    }
}
