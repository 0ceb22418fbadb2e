/* tier: naive */
/* The inner loop written in assembly. */
#include "honest.h"

GEMM
{
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++) {
            const int32_t *a = A + (size_t)i * K, *b = B + j, *end = a + K;
            int32_t sum = 0, t;
            __asm__ volatile("1: movl (%[a]), %[t]\n\t"
                             "imull (%[b]), %[t]\n\t"
                             "addl %[t], %[sum]\n\t"
                             "addq $4, %[a]\n\t"
                             "addq %[step], %[b]\n\t"
                             "cmpq %[end], %[a]\n\t"
                             "jb 1b"
                             : [a] "+r"(a), [b] "+r"(b), [sum] "+r"(sum), [t] "=&r"(t)
                             : [step] "r"((size_t)N * sizeof *B), [end] "r"(end)
                             : "cc", "memory");
            C[(size_t)i * N + j] = sum;
        }
}
