/* tier: simd */
/* Intrinsics with prefetch, stores past the caches, and a fence. */
#include "honest.h"
#include <immintrin.h>

GEMM
{
    for (int i = 0; i < M; i++) {
        int j = 0;
        int32_t *c = C + (size_t)i * N;
        for (; j < N && ((uintptr_t)(c + j) % 32 || j + 8 > N); j++) {
            c[j] = 0;
            for (int k = 0; k < K; k++)
                c[j] += A[(size_t)i * K + k] * B[(size_t)k * N + j];
        }
        for (; j + 8 <= N; j += 8) {
            __m256i sum = _mm256_setzero_si256();
            for (int k = 0; k < K; k++) {
                const int32_t *b = B + (size_t)k * N + j;
                _mm_prefetch((const char *)(b + (size_t)8 * N), _MM_HINT_T0);
                sum = _mm256_add_epi32(sum,
                                       _mm256_mullo_epi32(_mm256_set1_epi32(A[(size_t)i * K + k]),
                                                          _mm256_loadu_si256((const __m256i *)b)));
            }
            _mm256_stream_si256((__m256i *)(c + j), sum);
        }
        for (; j < N; j++) {
            c[j] = 0;
            for (int k = 0; k < K; k++)
                c[j] += A[(size_t)i * K + k] * B[(size_t)k * N + j];
        }
    }
    _mm_sfence();
}
