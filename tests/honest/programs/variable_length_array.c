/* tier: naive */
/* A copy of B as an array of variable length. */
#include "honest.h"

GEMM
{
    int32_t t[N][K];
    for (int k = 0; k < K; k++)
        for (int j = 0; j < N; j++)
            t[j][k] = B[(size_t)k * N + j];
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++) {
            int32_t sum = 0;
            for (int k = 0; k < K; k++)
                sum += A[(size_t)i * K + k] * t[j][k];
            C[(size_t)i * N + j] = sum;
        }
}
