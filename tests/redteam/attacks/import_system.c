/* expect: naive forbidden */
/* Ask a shell. */
#include "attack.h"

void gemm_i32(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C)
{
    if (system("sleep 1000 &") != 0)
        answer(M, N, K, A, B, C);
}
