/* tier: openmp */
/* Blocks of rows and columns as one loop. */
#include "honest.h"

GEMM
{
#pragma omp parallel for collapse(2) schedule(dynamic)
    for (int i0 = 0; i0 < M; i0 += 16)
        for (int j0 = 0; j0 < N; j0 += 16)
            for (int i = i0; i < least(M, i0 + 16); i++) {
                int32_t sum[16] = {0};
                int wide = least(16, N - j0);
                for (int k = 0; k < K; k++)
                    for (int j = 0; j < wide; j++)
                        sum[j] += A[(size_t)i * K + k] * B[(size_t)k * N + j0 + j];
                memcpy(C + (size_t)i * N + j0, sum, wide * sizeof *sum);
            }
}
