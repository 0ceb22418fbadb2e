/* Right: four sums for each element, one for each remainder of k. */
#include <stddef.h>

#include "gemm.h"

void gemm_f32(int M, int N, int K, const float *A, const float *B, float *C)
{
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++) {
            float sum[4] = {0, 0, 0, 0};
            for (int k = 0; k < K; k++)
                sum[k % 4] += A[(size_t)i * K + k] * B[(size_t)k * N + j];
            C[(size_t)i * N + j] = (sum[0] + sum[1]) + (sum[2] + sum[3]);
        }
}
