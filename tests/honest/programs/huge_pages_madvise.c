/* tier: naive */
/* A transposed copy of B in huge pages, kept between calls. */
#include "honest.h"
#include <sys/mman.h>

enum { MOST = 4 << 20 };

GEMM
{
    static int32_t *copy;
    if (!copy) {
        copy = aligned_alloc(2 << 20, MOST);
        madvise(copy, MOST, MADV_HUGEPAGE);
    }
    if ((size_t)K * N * sizeof *B > MOST) {
        rows(0, M, N, K, A, B, C);
        return;
    }
    for (int k = 0; k < K; k++)
        for (int j = 0; j < N; j++)
            copy[(size_t)j * K + k] = B[(size_t)k * N + j];
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++) {
            int32_t sum = 0;
            for (int k = 0; k < K; k++)
                sum += A[(size_t)i * K + k] * copy[(size_t)j * K + k];
            C[(size_t)i * N + j] = sum;
        }
}
