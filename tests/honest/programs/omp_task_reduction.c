/* tier: openmp */
/* One element at a time, by tasks that share in a reduction. */
#include "honest.h"

GEMM
{
#pragma omp parallel for
    for (int i = 0; i < M; i++)
        rows(i, i + 1, N, K, A, B, C);
    int32_t sum = 0;
#pragma omp parallel
#pragma omp single
#pragma omp taskgroup task_reduction(+ : sum)
    for (int k = 0; k < K; k += 16) {
#pragma omp task in_reduction(+ : sum)
        for (int p = k; p < least(K, k + 16); p++)
            sum += A[p] * B[(size_t)p * N];
    }
    C[0] = sum;
}
