/* tier: simd */
/* The same, static, on a copy of B in huge pages. */
#include "honest.h"
#include <sys/mman.h>

__attribute__((target_clones("default", "avx2", "avx512f"))) static void
several(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C)
{
    for (int i = 0; i < M; i++) {
        for (int j = 0; j < N; j++)
            C[(size_t)i * N + j] = 0;
        for (int k = 0; k < K; k++)
            for (int j = 0; j < N; j++)
                C[(size_t)i * N + j] += A[(size_t)i * K + k] * B[(size_t)k * N + j];
    }
}

GEMM
{
    size_t bytes = ((size_t)K * N * sizeof *B + (2 << 20) - 1) >> 21 << 21;
    int32_t *copy = aligned_alloc(2 << 20, bytes);
    if (madvise(copy, bytes, MADV_HUGEPAGE) != 0)
        perror("madvise");
    memcpy(copy, B, (size_t)K * N * sizeof *B);
    several(M, N, K, A, copy, C);
    free(copy);
}
