/* tier: simd */
/* Gathers, masked loads and masked stores at the edges. */
#include "honest.h"
#include <immintrin.h>

GEMM
{
    const __m256i lane = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j += 8) {
            __m256i sum = _mm256_setzero_si256();
            __m256i mask = _mm256_cmpgt_epi32(_mm256_set1_epi32(N - j), lane);
            for (int k = 0; k < K; k++) {
                const int32_t *b = B + (size_t)k * N + j;
                __m256i v =
                    k % 2 ? _mm256_maskload_epi32(b, mask)
                          : _mm256_mask_i32gather_epi32(_mm256_setzero_si256(), b, lane, mask, 4);
                sum = _mm256_add_epi32(
                    sum, _mm256_mullo_epi32(v, _mm256_set1_epi32(A[(size_t)i * K + k])));
            }
            _mm256_maskstore_epi32(C + (size_t)i * N + j, mask, sum);
        }
}
