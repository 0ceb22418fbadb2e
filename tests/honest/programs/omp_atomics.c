/* tier: openmp */
/* Every product added to C by an atomic operation. */
#include "honest.h"

GEMM
{
    memset(C, 0, (size_t)M * N * sizeof *C);
#pragma omp parallel for
    for (int k = 0; k < K; k++)
        for (int i = 0; i < M; i++)
            for (int j = 0; j < N; j++) {
#pragma omp atomic
                C[(size_t)i * N + j] += A[(size_t)i * K + k] * B[(size_t)k * N + j];
            }
}
