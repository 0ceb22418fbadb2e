/* tier: openmp */
/* Tasks that pack and tasks that wait for what was packed. */
#include "honest.h"

GEMM
{
    int32_t *copy = malloc((size_t)K * N * sizeof *copy);
#pragma omp parallel
#pragma omp single
    {
#pragma omp task depend(out : copy[0])
        memcpy(copy, B, (size_t)K * N * sizeof *B);
        for (int i = 0; i < M; i += 4) {
#pragma omp task depend(in : copy[0]) depend(inout : C[(size_t)i * N])
            rows(i, least(M, i + 4), N, K, A, copy, C);
        }
#pragma omp taskwait
    }
    free(copy);
}
