/* tier: openmp */
/* A team in a team. */
#include "honest.h"
#include <omp.h>

GEMM
{
    omp_set_max_active_levels(2);
#pragma omp parallel for num_threads(2)
    for (int half = 0; half < 2; half++) {
        int from = begin(M, half, 2), to = begin(M, half + 1, 2);
#pragma omp parallel for num_threads(2)
        for (int i = from; i < to; i++)
            rows(i, i + 1, N, K, A, B, C);
    }
}
