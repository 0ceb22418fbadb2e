/* expect: naive timeout */
/* Sleep past every limit. */
#include "attack.h"

void gemm_i32(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C)
{
    answer(M, N, K, A, B, C);
    sleep(100000);
}
