/* tier: openmp */
/* Rows in any order, counted in order; a loop with dependences between iterations. */
#include "honest.h"

GEMM
{
    int last = -1;
#pragma omp parallel for ordered schedule(dynamic)
    for (int i = 0; i < M; i++) {
        rows(i, i + 1, N, K, A, B, C);
#pragma omp ordered
        last = last == i - 1 ? i : -2;
    }
    if (last != M - 1)
        abort();
    int *seen = calloc(M, sizeof *seen);
#pragma omp parallel for ordered(1)
    for (int i = 0; i < M; i++) {
#pragma omp ordered depend(sink : i - 1)
        seen[i] = i ? seen[i - 1] + 1 : 1;
#pragma omp ordered depend(source)
    }
    if (seen[M - 1] != M)
        abort();
    free(seen);
}
