/* tier: openmp */
/* Four sections, one per quarter of the rows. */
#include "honest.h"

GEMM
{
    const struct job j = {M, N, K, A, B, C};
#pragma omp parallel sections
    {
#pragma omp section
        part(&j, 0, 4);
#pragma omp section
        part(&j, 1, 4);
#pragma omp section
        part(&j, 2, 4);
#pragma omp section
        part(&j, 3, 4);
    }
}
