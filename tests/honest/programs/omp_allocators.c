/* tier: openmp */
/* Memory from OpenMP's allocators, resources paused at the end. */
#include "honest.h"
#include <omp.h>

GEMM
{
    int32_t *copy = omp_alloc((size_t)K * N * sizeof *copy, omp_default_mem_alloc);
    memcpy(copy, B, (size_t)K * N * sizeof *copy);
#pragma omp parallel for
    for (int i = 0; i < M; i++)
        rows(i, i + 1, N, K, A, copy, C);
    omp_free(copy, omp_default_mem_alloc);
    omp_pause_resource_all(omp_pause_soft);
}
