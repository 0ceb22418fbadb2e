/* Wrong: halves instead of floats, to save memory bandwidth. */
#include <immintrin.h>

#include "gemm.h"

static __m256 as_half(__m256 x)
{
    const __m256i cut = _mm256_set1_epi32((int)0xffffe000); /* ten bits of the fraction stay */
    return _mm256_castsi256_ps(_mm256_and_si256(_mm256_castps_si256(x), cut));
}

void gemm_f32(int M, int N, int K, const float *A, const float *B, float *C)
{
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j += 8) {
            const int left = N - j < 8 ? N - j : 8;
            const __m256i mask = _mm256_cmpgt_epi32(_mm256_set1_epi32(left),
                                                    _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
            __m256 sum = _mm256_setzero_ps();
            for (int k = 0; k < K; k++)
                sum =
                    _mm256_fmadd_ps(as_half(_mm256_set1_ps(A[(size_t)i * K + k])),
                                    as_half(_mm256_maskload_ps(B + (size_t)k * N + j, mask)), sum);
            _mm256_maskstore_ps(C + (size_t)i * N + j, mask, sum);
        }
}
