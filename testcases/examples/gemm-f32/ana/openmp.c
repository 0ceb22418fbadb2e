/* Rows of C are divided among the threads. */
#include "gemm.h"

void gemm_f32(int M, int N, int K, const float *A, const float *B, float *C)
{
#pragma omp parallel for schedule(dynamic)
    for (int i = 0; i < M; i++) {
        float *c = C + i * N;
        for (int j = 0; j < N; j++)
            c[j] = 0;
        for (int k = 0; k < K; k++)
            for (int j = 0; j < N; j++)
                c[j] += A[i * K + k] * B[k * N + j];
    }
}
