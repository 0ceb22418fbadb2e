/* Vectors of eight columns, but C goes through memory at every step. */
#include "gemm.h"

#include <immintrin.h>
#include <stddef.h>
#include <string.h>

void gemm_i32(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C)
{
    memset(C, 0, sizeof *C * M * N);
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j += 8)
            for (int k = 0; k < K; k++) {
                if (j + 8 > N) {
                    for (int c = j; c < N; c++)
                        C[(size_t)i * N + c] += A[(size_t)i * K + k] * B[(size_t)k * N + c];
                    continue;
                }
                __m256i a = _mm256_set1_epi32(A[(size_t)i * K + k]);
                __m256i b = _mm256_loadu_si256((const __m256i *)(B + (size_t)k * N + j));
                __m256i *p = (__m256i *)(C + (size_t)i * N + j);
                _mm256_storeu_si256(
                    p, _mm256_add_epi32(_mm256_loadu_si256(p), _mm256_mullo_epi32(a, b)));
            }
}
