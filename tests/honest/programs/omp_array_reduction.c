/* tier: openmp */
/* K shared out, C reduced as an array; stacks hold its copies. */
#include "honest.h"

GEMM
{
    for (int i = 0; i < M; i++) {
        int32_t *c = C + (size_t)i * N;
        memset(c, 0, N * sizeof *c);
#pragma omp parallel for reduction(+ : c[:N])
        for (int k = 0; k < K; k++)
            for (int j = 0; j < N; j++)
                c[j] += A[(size_t)i * K + k] * B[(size_t)k * N + j];
    }
}
