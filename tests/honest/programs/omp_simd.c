/* tier: openmp */
/* simd with reductions, alignment and a function declared simd. */
#include "honest.h"

#pragma omp declare simd notinbranch
static inline int32_t times(int32_t a, int32_t b)
{
    return a * b;
}

GEMM
{
    int32_t *t = aligned_alloc(64, ((size_t)N * K * sizeof *t + 63) / 64 * 64);
#pragma omp parallel for simd collapse(2)
    for (int j = 0; j < N; j++)
        for (int k = 0; k < K; k++)
            t[(size_t)j * K + k] = B[(size_t)k * N + j];
#pragma omp parallel for
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++) {
            int32_t sum = 0;
#pragma omp simd reduction(+ : sum) safelen(16)
            for (int k = 0; k < K; k++)
                sum += times(A[(size_t)i * K + k], t[(size_t)j * K + k]);
            C[(size_t)i * N + j] = sum;
        }
    free(t);
}
