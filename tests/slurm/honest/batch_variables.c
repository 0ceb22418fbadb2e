/* tier: openmp */
/* As many threads as the batch system gave, or else as OpenMP was told, or else one for each core.
 */
#include "honest.h"
#include <omp.h>

static int threads(void)
{
    static const char *const names[] = {"SLURM_CPUS_PER_TASK", "SLURM_CPUS_ON_NODE",
                                        "OMP_NUM_THREADS"};
    for (unsigned i = 0; i < sizeof names / sizeof names[0]; i++) {
        const char *value = getenv(names[i]);
        if (value && atoi(value) > 0)
            return atoi(value);
    }
    return omp_get_num_procs();
}

GEMM
{
    const int n = threads();
#pragma omp parallel for num_threads(n) schedule(dynamic, 4)
    for (int i = 0; i < M; i++)
        rows(i, i + 1, N, K, A, B, C);
}
