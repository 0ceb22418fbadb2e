/* expect: naive wrote-out-of-bounds|crash|forbidden */
/* Put a page where the guard behind C is, write there, and put the guard back. */
#include "attack.h"

void gemm_i32(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C)
{
    volatile int32_t *behind = C + (size_t)M * N + 4096;
    void *page = (void *)((uintptr_t)behind & ~(uintptr_t)4095);
    const int fixed = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED;
    answer(M, N, K, A, B, C);
    munmap(page, 4096);
    mmap(page, 4096, PROT_READ | PROT_WRITE, fixed, -1, 0);
    *behind = 1;
    munmap(page, 4096);
    mmap(page, 4096, PROT_NONE, fixed | MAP_NORESERVE, -1, 0);
}
