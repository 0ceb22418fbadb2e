/* tier: naive */
/* Blocks of C in Morton order. */
#include "honest.h"

enum { SIDE = 16 };

static int every_second(unsigned z)
{
    int x = 0;
    for (int bit = 0; bit < 16; bit++)
        x |= (int)(z >> (2 * bit) & 1) << bit;
    return x;
}

GEMM
{
    unsigned side = 1;
    while ((int)side * SIDE < M || (int)side * SIDE < N)
        side *= 2;
    memset(C, 0, (size_t)M * N * sizeof *C);
    for (unsigned z = 0; z < side * side; z++) {
        int i0 = every_second(z >> 1) * SIDE, j0 = every_second(z) * SIDE;
        for (int i = i0; i < least(M, i0 + SIDE); i++)
            for (int k = 0; k < K; k++)
                for (int j = j0; j < least(N, j0 + SIDE); j++)
                    C[(size_t)i * N + j] += A[(size_t)i * K + k] * B[(size_t)k * N + j];
    }
}
