/* Vectors of eight columns; the last columns one by one. */
#include <immintrin.h>

#include "gemm.h"

void gemm_f32(int M, int N, int K, const float *A, const float *B, float *C)
{
    for (int i = 0; i < M; i++) {
        const float *a = A + (size_t)i * K;
        int j = 0;
        for (; j + 8 <= N; j += 8) {
            __m256 sum = _mm256_setzero_ps();
            for (int k = 0; k < K; k++)
                sum = _mm256_fmadd_ps(_mm256_set1_ps(a[k]), _mm256_loadu_ps(B + (size_t)k * N + j),
                                      sum);
            _mm256_storeu_ps(C + (size_t)i * N + j, sum);
        }
        for (; j < N; j++) {
            float sum = 0;
            for (int k = 0; k < K; k++)
                sum += a[k] * B[(size_t)k * N + j];
            C[(size_t)i * N + j] = sum;
        }
    }
}
