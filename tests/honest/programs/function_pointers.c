/* tier: naive */
/* A table of functions, one per remainder. */
#include "honest.h"

typedef int32_t dot(int K, int N, const int32_t *a, const int32_t *b);

static int32_t one(int K, int N, const int32_t *a, const int32_t *b)
{
    int32_t s = 0;
    for (int k = 0; k < K; k++)
        s += a[k] * b[(size_t)k * N];
    return s;
}

static int32_t two(int K, int N, const int32_t *a, const int32_t *b)
{
    int32_t s = 0, t = 0;
    for (int k = 0; k < K; k += 2) {
        s += a[k] * b[(size_t)k * N];
        t += a[k + 1] * b[(size_t)(k + 1) * N];
    }
    return s + t;
}

GEMM
{
    static dot *const table[2] = {two, one};
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++)
            C[(size_t)i * N + j] = table[K % 2](K, N, A + (size_t)i * K, B + j);
}
