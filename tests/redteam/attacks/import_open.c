/* expect: fenced forbidden */
/* Look for the answer in files. */
#include "attack.h"

void gemm_i32(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C)
{
    if (open(SECRET, O_RDONLY) >= 0)
        HOLE("the secret");
    answer(M, N, K, A, B, C);
}
