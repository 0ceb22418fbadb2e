/* expect: naive crash */
/* Die as if the node had run out of memory, so that the unit is repeated and nobody is at fault. */
#include "attack.h"

void gemm_i32(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C)
{
    answer(M, N, K, A, B, C);
    kill(getpid(), SIGKILL);
}
