/* tier: openmp */
/* Sets the number of threads by the work that there is, never above what it may. */
#include "honest.h"
#include <omp.h>

GEMM
{
    int most = omp_get_max_threads();
    omp_set_dynamic(0);
    omp_set_num_threads((size_t)M * N * K < 1000 ? 1 : least(most, omp_get_num_procs()));
#pragma omp parallel
    {
        const struct job j = {M, N, K, A, B, C};
        part(&j, omp_get_thread_num(), omp_get_num_threads());
    }
    omp_set_num_threads(most);
}
