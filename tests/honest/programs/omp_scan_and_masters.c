/* tier: openmp */
/* master, masked work, barriers, flushes and a scan. */
#include "honest.h"
#include <omp.h>

GEMM
{
    int *start = calloc(M + 1, sizeof *start), sum = 0, ready = 0;
#pragma omp parallel for reduction(inscan, + : sum)
    for (int i = 0; i < M; i++) {
        start[i] = sum;
#pragma omp scan exclusive(sum)
        sum += 1;
    }
#pragma omp parallel
    {
#pragma omp master
        {
            ready = 1;
#pragma omp flush
        }
#pragma omp barrier
#pragma omp for
        for (int i = 0; i < M; i++)
            if (ready && start[i] <= M)
                rows(i, i + 1, N, K, A, B, C);
    }
    free(start);
}
