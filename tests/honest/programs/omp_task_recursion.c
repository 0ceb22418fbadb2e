/* tier: openmp */
/* Tasks that halve the rows, and wait for their halves. */
#include "honest.h"

static void halve(const struct job *j, int from, int to)
{
    if (to - from < 4) {
        rows(from, to, j->N, j->K, j->A, j->B, j->C);
        return;
    }
    int middle = (from + to) / 2;
#pragma omp task final(to - from < 16)
    halve(j, from, middle);
#pragma omp task untied
    halve(j, middle, to);
#pragma omp taskwait
}

GEMM
{
    const struct job j = {M, N, K, A, B, C};
#pragma omp parallel
#pragma omp single nowait
    halve(&j, 0, M);
}
