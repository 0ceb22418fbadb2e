/* Wrong: the columns after the last whole vector are forgotten. Sizes like 512 and 1024 have none.
 */
#include <immintrin.h>

#include "gemm.h"

void gemm_f32(int M, int N, int K, const float *A, const float *B, float *C)
{
    for (int i = 0; i < M; i++)
        for (int j = 0; j + 8 <= N; j += 8) {
            __m256 sum = _mm256_setzero_ps();
            for (int k = 0; k < K; k++)
                sum = _mm256_fmadd_ps(_mm256_set1_ps(A[(size_t)i * K + k]),
                                      _mm256_loadu_ps(B + (size_t)k * N + j), sum);
            _mm256_storeu_ps(C + (size_t)i * N + j, sum);
        }
}
