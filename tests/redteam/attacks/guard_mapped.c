/* expect: naive wrote-out-of-bounds */
/* Put memory in the place of the guard behind C, then write there. */
#include "attack.h"

void gemm_i32(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C)
{
    uintptr_t end = ((uintptr_t)(C + (size_t)M * N) + 4095) & ~(uintptr_t)4095;
    mmap((void *)end, 65536, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1,
         0);
    answer(M, N, K, A, B, C);
    *(volatile int32_t *)end = 1;
}
