/* expect: naive pass */
/* Make the inputs writable first. */
#include "attack.h"

void gemm_i32(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C)
{
    uintptr_t page = (uintptr_t)A & ~(uintptr_t)4095;
    if (mprotect((void *)page, 4096, PROT_READ | PROT_WRITE) == 0) {
        HOLE("inputs can be made writable");
        memset((void *)(uintptr_t)A, 0, 4);
    }
    answer(M, N, K, A, B, C);
}
