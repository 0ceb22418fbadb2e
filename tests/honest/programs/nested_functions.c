/* tier: naive */
/* GNU C's nested functions, called directly. */
#include "honest.h"

GEMM
{
    int32_t dot(int i, int j)
    {
        int32_t sum = 0;
        for (int k = 0; k < K; k++)
            sum += A[(size_t)i * K + k] * B[(size_t)k * N + j];
        return sum;
    }
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++)
            C[(size_t)i * N + j] = dot(i, j);
}
