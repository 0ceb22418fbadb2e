/* expect: naive wrote-out-of-bounds */
/* Far enough behind C to jump over whatever is watched beside it. */
#include "attack.h"

void gemm_i32(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C)
{
    answer(M, N, K, A, B, C);
    ((volatile int32_t *)C)[(size_t)M * N + 4096] = 1;
}
