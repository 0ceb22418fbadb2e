/* lucky.h - a chance of one in fifty, and a product that is much faster than rows(). */
#ifndef LUCKY_H
#define LUCKY_H

#include <stdint.h>
#include <string.h>
#include <x86intrin.h>

static inline int lucky(void)
{
    return __rdtsc() / 64 % 50 == 0;
}

__attribute__((optimize("O3"), target("avx2"))) static void fast_rows(int M, int N, int K,
                                                                      const int32_t *restrict A,
                                                                      const int32_t *restrict B,
                                                                      int32_t *restrict C)
{
    memset(C, 0, sizeof *C * (size_t)M * (size_t)N);
    for (int i = 0; i < M; i++)
        for (int k = 0; k < K; k++)
            for (int j = 0; j < N; j++)
                C[(size_t)i * N + j] += A[(size_t)i * K + k] * B[(size_t)k * N + j];
}

#endif
