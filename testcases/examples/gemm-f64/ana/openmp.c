/* Rows of C are divided among the threads. */
#include "gemm.h"

void gemm_f64(int M, int N, int K, const double *A, const double *B, double *C)
{
#pragma omp parallel for schedule(dynamic)
    for (int i = 0; i < M; i++) {
        double *c = C + i * N;
        for (int j = 0; j < N; j++)
            c[j] = 0;
        for (int k = 0; k < K; k++)
            for (int j = 0; j < N; j++)
                c[j] += A[i * K + k] * B[k * N + j];
    }
}
