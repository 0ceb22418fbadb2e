/* tier: openmp */
/* A reduction of its own, over a structure. */
#include "honest.h"

struct pair {
    int32_t even, odd;
};
#pragma omp declare reduction(pairs                                                                \
                              : struct pair                                                        \
                              : omp_out.even += omp_in.even, omp_out.odd += omp_in.odd)            \
    initializer(omp_priv = {0, 0})

GEMM
{
#pragma omp parallel for
    for (int i = 0; i < M; i++)
        rows(i, i + 1, N, K, A, B, C);
    struct pair p = {0, 0};
#pragma omp parallel for reduction(pairs : p)
    for (int k = 0; k < K; k++)
        if (k % 2)
            p.odd += A[k] * B[(size_t)k * N];
        else
            p.even += A[k] * B[(size_t)k * N];
    C[0] = p.even + p.odd;
}
