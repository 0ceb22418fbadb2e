/* The peer that a good student writes: (i, k, j) in cache blocks, vectorised by the compiler. */
#include <stdint.h>
#include <string.h>

enum { BLOCK_K = 64, BLOCK_J = 512 };

static int least(int a, int b)
{
    return a < b ? a : b;
}

void gemm_i32(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C)
{
    memset(C, 0, (size_t)M * (size_t)N * sizeof *C);
    for (int kk = 0; kk < K; kk += BLOCK_K)
        for (int jj = 0; jj < N; jj += BLOCK_J)
            for (int i = 0; i < M; i++) {
                int32_t *restrict c = C + (size_t)i * (size_t)N + jj;
                int width = least(BLOCK_J, N - jj);
                for (int k = kk; k < least(kk + BLOCK_K, K); k++) {
                    const int32_t a = A[(size_t)i * (size_t)K + k];
                    const int32_t *restrict b = B + (size_t)k * (size_t)N + jj;
                    for (int j = 0; j < width; j++)
                        c[j] += a * b[j];
                }
            }
}
