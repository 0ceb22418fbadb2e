/* tier: openmp */
/* As many threads as the whole node has cores, in a job that has some of them only. */
#include "honest.h"
#include <omp.h>
#include <unistd.h>

GEMM
{
    const int n = least((int)sysconf(_SC_NPROCESSORS_ONLN) * 2, 16);
#pragma omp parallel num_threads(n)
    {
        const int i = omp_get_thread_num(), all = omp_get_num_threads();
        const int from = begin(M, i, all), to = begin(M, i + 1, all);
        rows(from, to, N, K, A, B, C);
    }
}
