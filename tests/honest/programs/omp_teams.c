/* tier: openmp */
/* teams, distribute and loop on the host. */
#include "honest.h"

GEMM
{
#pragma omp teams distribute parallel for num_teams(2) thread_limit(2)
    for (int i = 0; i < M / 2; i++)
        rows(i, i + 1, N, K, A, B, C);
#pragma omp parallel
#pragma omp loop bind(parallel)
    for (int i = M / 2; i < M; i++)
        rows(i, i + 1, N, K, A, B, C);
}
