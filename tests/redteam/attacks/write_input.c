/* expect: naive wrote-input */
/* Make the inputs easy. */
#include "attack.h"

void gemm_i32(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C)
{
    memset((void *)(uintptr_t)A, 0, sizeof *A * (size_t)M * K);
    answer(M, N, K, A, B, C);
}
