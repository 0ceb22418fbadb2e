/* A 4 x 16 block of C stays in eight AVX2 registers while k runs; scalar code for the edges. The
 * vectors are those of the compiler: <immintrin.h> takes a quarter of a second to compile. */
#include "gemm.h"

#include <stddef.h>

typedef int32_t vector __attribute__((vector_size(32), aligned(4), may_alias));

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
            vector c[4][2] = {{{0}}};
            for (int k = 0; k < K; k++) {
                const vector *b = (const vector *)(B + (size_t)k * N + j);
                for (int r = 0; r < 4; r++) {
                    int32_t a = A[(size_t)(i + r) * K + k];
                    c[r][0] += a * b[0];
                    c[r][1] += a * b[1];
                }
            }
            for (int r = 0; r < 4; r++) {
                vector *p = (vector *)(C + (size_t)(i + r) * N + j);
                p[0] = c[r][0];
                p[1] = c[r][1];
            }
        }
    edge(0, Mv, Nv, N, N, K, A, B, C);
    edge(Mv, M, 0, N, N, K, A, B, C);
}
