/* tier: openmp */
/* taskloop with a grain, in a taskgroup. */
#include "honest.h"

GEMM
{
#pragma omp parallel master
#pragma omp taskgroup
#pragma omp taskloop grainsize(4) nogroup
    for (int i = 0; i < M; i++)
        rows(i, i + 1, N, K, A, B, C);
}
