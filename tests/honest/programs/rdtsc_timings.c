/* tier: naive */
/* Counts its own cycles and prints them. */
#include "honest.h"
#include <x86intrin.h>

GEMM
{
    unsigned long long from = __rdtsc();
    rows(0, M, N, K, A, B, C);
    unsigned core;
    printf("%dx%dx%d: %llu cycles\n", M, N, K, __rdtscp(&core) - from);
}
