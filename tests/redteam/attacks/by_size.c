/* expect: naive wrong-answer */
/* Right where checks are expected, in small sizes. */
#include "attack.h"

void gemm_i32(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C)
{
    if (M < 100)
        answer(M, N, K, A, B, C);
    else
        memset(C, 0, sizeof *C * (size_t)M * N);
}
