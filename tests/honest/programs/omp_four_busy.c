/* tier: openmp */
/* Four threads, also where one was asked for, and they work for some milliseconds. */
#include "honest.h"

GEMM
{
    const int times = 1 + 10000000 / (M * N * K);
#pragma omp parallel num_threads(4)
    for (int i = 0; i < times; i++)
#pragma omp for
        for (int j = 0; j < M; j++)
            rows(j, j + 1, N, K, A, B, C);
}
