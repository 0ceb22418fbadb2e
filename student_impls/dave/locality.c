/* i,k,j order: everything is walked along rows. Two rows of C at a time share each row of B. */
#include "gemm.h"

#include <stddef.h>
#include <string.h>

void gemm_i32(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C)
{
    memset(C, 0, sizeof *C * M * N);
    int i = 0;
    for (; i + 1 < M; i += 2)
        for (int k = 0; k < K; k++) {
            int32_t a0 = A[(size_t)i * K + k], a1 = A[(size_t)(i + 1) * K + k];
            const int32_t *b = B + (size_t)k * N;
            int32_t *c0 = C + (size_t)i * N, *c1 = c0 + N;
            for (int j = 0; j < N; j++) {
                c0[j] += a0 * b[j];
                c1[j] += a1 * b[j];
            }
        }
    for (; i < M; i++)
        for (int k = 0; k < K; k++)
            for (int j = 0; j < N; j++)
                C[(size_t)i * N + j] += A[(size_t)i * K + k] * B[(size_t)k * N + j];
}
