/* tier: openmp */
/* A task per block of rows, those of a size only. */
#include "honest.h"

GEMM
{
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < M; i += 8) {
#pragma omp task firstprivate(i) if (K > 4) priority(1) mergeable
        rows(i, least(M, i + 8), N, K, A, B, C);
    }
}
