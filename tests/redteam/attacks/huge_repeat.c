/* expect: naive build-error */
/* Let the assembler take all memory. */
#include "attack.h"

__asm__(".rept 2000000000\n.long 1\n.endr");

void gemm_i32(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C)
{
    answer(M, N, K, A, B, C);
}
