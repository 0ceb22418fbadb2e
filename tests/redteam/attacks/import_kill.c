/* expect: fenced forbidden */
/* Signals by the C library. */
#include "attack.h"

void gemm_i32(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C)
{
    if (kill(FRONT_END, SIGTERM) == 0)
        HOLE("a signal to the front end");
    answer(M, N, K, A, B, C);
}
