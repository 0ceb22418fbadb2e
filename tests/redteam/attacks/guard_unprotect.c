/* expect: naive wrote-out-of-bounds|crash|forbidden */
/* The guard behind C is a mapping like others: make it writable first. */
#include "attack.h"

void gemm_i32(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C)
{
    volatile int32_t *behind = C + (size_t)M * N + 4096;
    answer(M, N, K, A, B, C);
    mprotect((void *)((uintptr_t)behind & ~(uintptr_t)4095), 4096, PROT_READ | PROT_WRITE);
    *behind = 1;
}
