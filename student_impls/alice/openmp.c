/* Rows of C are shared out among the threads; the inner loop vectorises. */
#include "gemm.h"

#include <stddef.h>
#include <string.h>

void gemm_i32(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C)
{
#pragma omp parallel for schedule(static)
    for (int i = 0; i < M; i++) {
        int32_t *c = C + (size_t)i * N;
        memset(c, 0, sizeof *c * N);
        for (int k = 0; k < K; k++) {
            int32_t a = A[(size_t)i * K + k];
            const int32_t *b = B + (size_t)k * N;
            for (int j = 0; j < N; j++)
                c[j] += a * b[j];
        }
    }
}
