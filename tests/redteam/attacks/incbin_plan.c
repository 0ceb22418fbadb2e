/* expect: naive build-error */
/* Embed the plan, with the seed, into the library. */
#include "attack.h"

__asm__(".section .rodata\nplan: .incbin \"" RUN "/plan.json\"\n.text");

void gemm_i32(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C)
{
    answer(M, N, K, A, B, C);
}
