/* tier: openmp */
/* dynamic, guided, static in chunks and whatever omp_set_schedule says. */
#include "honest.h"
#include <omp.h>

GEMM
{
    omp_set_schedule(omp_sched_guided, 2);
#pragma omp parallel
    {
#pragma omp for schedule(dynamic, 3) nowait
        for (int i = 0; i < M / 4; i++)
            rows(i, i + 1, N, K, A, B, C);
#pragma omp for schedule(guided) nowait
        for (int i = M / 4; i < M / 2; i++)
            rows(i, i + 1, N, K, A, B, C);
#pragma omp for schedule(static, 2) nowait
        for (int i = M / 2; i < M * 3 / 4; i++)
            rows(i, i + 1, N, K, A, B, C);
#pragma omp for schedule(runtime)
        for (int i = M * 3 / 4; i < M; i++)
            rows(i, i + 1, N, K, A, B, C);
    }
}
