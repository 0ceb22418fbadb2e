/*
 * openacc_tiled: C in tiles of 32 x 128 elements, a tile to a gang; in a tile, strips of four rows,
 * a strip to a worker (a warp); in a strip, 4 x 4 elements to a lane of the vector, in 16 scalars
 * that live in registers. Eight loads then feed 16 multiply-adds, against two for one in openacc.c.
 *
 *   - The four columns of a lane are 32 apart, so the lanes of a warp read and write 32 neighbours
 *     at a time. The four elements of A are the same for all lanes.
 *   - The eight workers of a gang read the same rows of B at about the same time: from the
 *     first-level cache, once it has been fetched. OpenACC has no way to say more than that: gcc
 *     ignores the `cache` directive, and its `tile` clause deals out iterations without keeping
 *     anything in registers.
 *   - At the edges, rows and columns beyond the last are computed as copies of the last and not
 *     stored: the loop over k has no conditions.
 *
 * build  gcc -std=c11 -O3 -fwrapv -fopenacc -DPARAGRADE_OPENACC -fPIC -shared -I<abi>
 *        -o openacc_tiled.so openacc_tiled.c
 *        (for a device, also -foffload=nvptx-none -foffload-options=nvptx-none=-misa=sm_80)
 * run    paragrade check --tier openacc reference/gemm
 */
#include "gemm.h"

#include <stddef.h>

#define LANES 32
#define WORKERS 8
#define ROWS (4 * WORKERS)
#define COLUMNS (4 * LANES)

/* One row of a lane's 4 x 4: its sums, its multiply-adds, its stores. */
#define SUMS(r) uint32_t s##r##0 = 0, s##r##1 = 0, s##r##2 = 0, s##r##3 = 0
#define MULTIPLY_ADD(r)                                                                            \
    do {                                                                                           \
        uint32_t a = (uint32_t)A[row##r + k];                                                      \
        s##r##0 += a * b0;                                                                         \
        s##r##1 += a * b1;                                                                         \
        s##r##2 += a * b2;                                                                         \
        s##r##3 += a * b3;                                                                         \
    } while (0)
#define STORE_ONE(r, c)                                                                            \
    do {                                                                                           \
        if (i + r < m && j + c * LANES < n)                                                        \
            C[(i + r) * n + j + c * LANES] = (int32_t)s##r##c;                                     \
    } while (0)
#define STORE(r)                                                                                   \
    do {                                                                                           \
        STORE_ONE(r, 0);                                                                           \
        STORE_ONE(r, 1);                                                                           \
        STORE_ONE(r, 2);                                                                           \
        STORE_ONE(r, 3);                                                                           \
    } while (0)

#define LEAST(a, b) ((a) < (b) ? (a) : (b))

void gemm_i32_acc(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C)
{
    size_t m = (size_t)M, n = (size_t)N, depth = (size_t)K;
    size_t down = (m - 1) / ROWS + 1, across = (n - 1) / COLUMNS + 1;
#pragma acc parallel loop gang collapse(2) num_workers(WORKERS) vector_length(LANES)               \
    present(A [0:m * depth], B [0:depth * n], C [0:m * n])
    for (size_t ti = 0; ti < down; ti++) {
        for (size_t tj = 0; tj < across; tj++) {
#pragma acc loop worker
            for (int w = 0; w < WORKERS; w++) {
#pragma acc loop vector
                for (int l = 0; l < LANES; l++) {
                    size_t i = ti * ROWS + 4 * (size_t)w, j = tj * COLUMNS + (size_t)l;
                    size_t row0 = LEAST(i, m - 1) * depth, row1 = LEAST(i + 1, m - 1) * depth;
                    size_t row2 = LEAST(i + 2, m - 1) * depth, row3 = LEAST(i + 3, m - 1) * depth;
                    size_t col0 = LEAST(j, n - 1), col1 = LEAST(j + LANES, n - 1);
                    size_t col2 = LEAST(j + 2 * LANES, n - 1), col3 = LEAST(j + 3 * LANES, n - 1);
                    SUMS(0);
                    SUMS(1);
                    SUMS(2);
                    SUMS(3);
                    for (size_t k = 0; k < depth; k++) {
                        const int32_t *from = B + k * n;
                        uint32_t b0 = (uint32_t)from[col0], b1 = (uint32_t)from[col1];
                        uint32_t b2 = (uint32_t)from[col2], b3 = (uint32_t)from[col3];
                        MULTIPLY_ADD(0);
                        MULTIPLY_ADD(1);
                        MULTIPLY_ADD(2);
                        MULTIPLY_ADD(3);
                    }
                    STORE(0);
                    STORE(1);
                    STORE(2);
                    STORE(3);
                }
            }
        }
    }
}
