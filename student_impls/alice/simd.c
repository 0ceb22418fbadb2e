/* AVX2: a 4 x 16 block of C stays in registers while k runs; scalar code for the edges. */
#include "gemm.h"

#include <immintrin.h>
#include <stddef.h>

static void edge(int i0, int i1, int j0, int j1, int N, int K, const int32_t *A, const int32_t *B,
                 int32_t *C)
{
    for (int i = i0; i < i1; i++)
        for (int j = j0; j < j1; j++) {
            int32_t sum = 0;
            for (int k = 0; k < K; k++)
                sum += A[(size_t)i * K + k] * B[(size_t)k * N + j];
            C[(size_t)i * N + j] = sum;
        }
}

void gemm_i32(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C)
{
    int Mv = M - M % 4, Nv = N - N % 16;
    /* A strip of 16 columns of B is used by all rows before the next one is touched. */
    for (int j = 0; j < Nv; j += 16)
        for (int i = 0; i < Mv; i += 4) {
            __m256i c[4][2];
            for (int r = 0; r < 4; r++)
                c[r][0] = c[r][1] = _mm256_setzero_si256();
            for (int k = 0; k < K; k++) {
                const int32_t *b = B + (size_t)k * N + j;
                __m256i b0 = _mm256_loadu_si256((const __m256i *)b);
                __m256i b1 = _mm256_loadu_si256((const __m256i *)(b + 8));
                for (int r = 0; r < 4; r++) {
                    __m256i a = _mm256_set1_epi32(A[(size_t)(i + r) * K + k]);
                    c[r][0] = _mm256_add_epi32(c[r][0], _mm256_mullo_epi32(a, b0));
                    c[r][1] = _mm256_add_epi32(c[r][1], _mm256_mullo_epi32(a, b1));
                }
            }
            for (int r = 0; r < 4; r++) {
                int32_t *p = C + (size_t)(i + r) * N + j;
                _mm256_storeu_si256((__m256i *)p, c[r][0]);
                _mm256_storeu_si256((__m256i *)(p + 8), c[r][1]);
            }
        }
    edge(0, Mv, Nv, N, N, K, A, B, C);
    edge(Mv, M, 0, N, N, K, A, B, C);
}
