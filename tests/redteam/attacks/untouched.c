/* expect: naive wrong-answer */
/* Leave C as it is: perhaps an earlier result is still there. */
#include "attack.h"

void gemm_i32(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C)
{
    (void)M, (void)N, (void)K, (void)A, (void)B, (void)C;
}
