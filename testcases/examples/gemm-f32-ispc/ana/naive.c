/* Loops in another order: rows of B and C are walked along. */
#include "gemm.h"

void gemm_f32(int M, int N, int K, const float *A, const float *B, float *C)
{
    for (int i = 0; i < M; i++) {
        for (int j = 0; j < N; j++)
            C[i * N + j] = 0;
        for (int k = 0; k < K; k++)
            for (int j = 0; j < N; j++)
                C[i * N + j] += A[i * K + k] * B[k * N + j];
    }
}
