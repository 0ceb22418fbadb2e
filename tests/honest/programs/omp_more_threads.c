/* tier: openmp */
/* Eight threads, however many cores there are. */
#include "honest.h"

GEMM
{
#pragma omp parallel for num_threads(8)
    for (int i = 0; i < M; i++)
        rows(i, i + 1, N, K, A, B, C);
}
