/* tier: simd */
/* One function in three versions, chosen by the loader. */
#include "honest.h"

__attribute__((target_clones("default", "avx2", "avx512f"))) void
several(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C);

__attribute__((target_clones("default", "avx2", "avx512f"))) void
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
    several(M, N, K, A, B, C);
}
