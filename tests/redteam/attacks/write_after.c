/* expect: naive wrote-out-of-bounds */
/* One element behind C. */
#include "attack.h"

void gemm_i32(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C)
{
    answer(M, N, K, A, B, C);
    ((volatile int32_t *)C)[(size_t)M * N] = 1;
}
