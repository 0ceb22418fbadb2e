/* expect: naive wrong-answer */
/* Right in the first calls, when somebody looks: as many as there are random cases. */
#include "attack.h"

void gemm_i32(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C)
{
    static int calls;
    if (++calls < 6)
        answer(M, N, K, A, B, C);
}
