/* tier: openmp */
/* A search that cancels its loop; where cancelling is off, it only takes longer. */
#include "honest.h"
#include <omp.h>

GEMM
{
    int found = -1;
#pragma omp parallel for
    for (int i = 0; i < M * K; i++) {
        if (A[i] == 0) {
#pragma omp atomic write
            found = i;
#pragma omp cancel for
        }
#pragma omp cancellation point for
    }
    if (found >= 0 && omp_get_cancellation())
        printf("there are zeros\n");
#pragma omp parallel for
    for (int i = 0; i < M; i++)
        rows(i, i + 1, N, K, A, B, C);
}
