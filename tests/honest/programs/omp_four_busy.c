/* tier: openmp */
/* Four threads, also where one was asked for. Each works for some milliseconds on a product of its
 * own, and one of them is the result. */
#include "honest.h"

GEMM
{
    const int times = 1 + 4000000 / (M * N * K);
#pragma omp parallel num_threads(4)
    {
        int32_t *own = malloc(sizeof *own * (size_t)M * (size_t)N);
        for (int i = 0; own && i < times; i++)
            rows(0, M, N, K, A, B, own);
#pragma omp single
        if (own)
            memcpy(C, own, sizeof *own * (size_t)M * (size_t)N);
        free(own);
    }
}
