/* tier: naive */
/* Asks the processor itself what it can do. */
#include "honest.h"
#include <cpuid.h>

GEMM
{
    unsigned a = 0, b = 0, c = 0, d = 0;
    __get_cpuid_count(7, 0, &a, &b, &c, &d);
    int avx2 = b >> 5 & 1;
    __asm__ volatile("cpuid" : "=a"(a), "=b"(b), "=c"(c), "=d"(d) : "a"(0), "c"(0));
    if (avx2 && a > 0)
        rows(0, M, N, K, A, B, C);
    else
        for (int i = 0; i < M; i++)
            rows(i, i + 1, N, K, A, B, C);
}
