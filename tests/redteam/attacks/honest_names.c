/* expect: naive pass */
/* Honest: helpers whose names the C library has as well, and memory of one's own. */
#include "gemm.h"
#include <stdlib.h>

int index(int row, int col, int width);
int index(int row, int col, int width)
{
    return row * width + col;
}

void send(int32_t *to, int32_t value);
void send(int32_t *to, int32_t value)
{
    *to = value;
}

void gemm_i32(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C)
{
    int32_t *t = malloc(sizeof *t * (size_t)N * K);
    for (int k = 0; k < K; k++)
        for (int j = 0; j < N; j++)
            t[index(j, k, K)] = B[index(k, j, N)];
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++) {
            int32_t sum = 0;
            for (int k = 0; k < K; k++)
                sum += A[index(i, k, K)] * t[index(j, k, K)];
            send(&C[index(i, j, N)], sum);
        }
    free(t);
}
