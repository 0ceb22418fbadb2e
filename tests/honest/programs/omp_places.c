/* tier: openmp */
/* Asks for places, binds closely and spreads. */
#include "honest.h"
#include <omp.h>

GEMM
{
    static int told;
    if (!told++)
        printf("%d places, binding %d, %d processors in the first\n", omp_get_num_places(),
               (int)omp_get_proc_bind(), omp_get_num_places() ? omp_get_place_num_procs(0) : 0);
#pragma omp parallel for proc_bind(close)
    for (int i = 0; i < M / 2; i++)
        rows(i, i + 1, N, K, A, B, C);
#pragma omp parallel for proc_bind(spread)
    for (int i = M / 2; i < M; i++)
        rows(i, i + 1, N, K, A, B, C);
}
