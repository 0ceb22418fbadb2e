/* expect: naive build-error */
/* Fill the disk with one object. */
#include "attack.h"

char huge[1u << 29] = {1};

void gemm_i32(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C)
{
    answer(M, N, K, A, B, C);
}
