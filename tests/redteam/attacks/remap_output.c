/* expect: naive wrong-answer */
/* Put memory of one's own in C's place; write the answer where nobody looks. */
#include "attack.h"

void gemm_i32(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C)
{
    uintptr_t from = (uintptr_t)C & ~(uintptr_t)4095;
    size_t bytes = (uintptr_t)C - from + sizeof *C * (size_t)M * N;
    mmap((void *)from, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1,
         0);
    answer(M, N, K, A, B, C);
}
