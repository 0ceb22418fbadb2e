/* tier: naive */
/* Looks its block size up in a sorted table. */
#include "honest.h"

static int nearest(const void *key, const void *item)
{
    int k = *(const int *)key, low = *(const int *)item;
    return k < low ? -1 : k >= 2 * low ? 1 : 0;
}

GEMM
{
    static const int sizes[] = {1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048};
    const int *found = bsearch(&K, sizes, 12, sizeof *sizes, nearest);
    int block = found ? *found : 64;
    memset(C, 0, (size_t)M * N * sizeof *C);
    for (int k0 = 0; k0 < K; k0 += block)
        for (int i = 0; i < M; i++)
            for (int k = k0; k < least(K, k0 + block); k++)
                for (int j = 0; j < N; j++)
                    C[(size_t)i * N + j] += A[(size_t)i * K + k] * B[(size_t)k * N + j];
}
