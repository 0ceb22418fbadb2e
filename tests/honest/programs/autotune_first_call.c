/* tier: naive */
/* Tries block sizes in the first large call, by the cycle counter, and remembers the best. */
#include "honest.h"
#include <x86intrin.h>

static void blocked(int block, int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C)
{
    memset(C, 0, (size_t)M * N * sizeof *C);
    for (int k0 = 0; k0 < K; k0 += block)
        for (int i = 0; i < M; i++)
            for (int k = k0; k < least(K, k0 + block); k++)
                for (int j = 0; j < N; j++)
                    C[(size_t)i * N + j] += A[(size_t)i * K + k] * B[(size_t)k * N + j];
}

GEMM
{
    static int best;
    if (best || M < 16) {
        blocked(best ? best : 16, M, N, K, A, B, C);
        return;
    }
    unsigned long long shortest = ~0ULL;
    for (int block = 4; block <= 256; block *= 2) {
        unsigned long long from = __rdtsc();
        blocked(block, M, N, K, A, B, C);
        unsigned long long took = __rdtsc() - from;
        if (took < shortest) {
            shortest = took;
            best = block;
        }
    }
    fprintf(stderr, "best block: %d\n", best);
}
