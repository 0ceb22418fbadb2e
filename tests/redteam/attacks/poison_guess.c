/* expect: naive wrong-answer */
/* Take C's values on entry for a hint: what differs from its neighbour is "computed" already. */
#include "attack.h"

void gemm_i32(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C)
{
    (void)A, (void)B, (void)K;
    for (size_t i = 1; i < (size_t)M * N; i++)
        if (C[i] == C[i - 1])
            C[i] = 0;
}
