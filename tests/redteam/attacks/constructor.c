/* expect: naive forbidden */
/* Code that runs when the library is loaded. */
#include "attack.h"

__attribute__((constructor)) static void early(void)
{
    struct pg_done d = {PG_DONE, FIRST_GO};
    tell(&d, sizeof d);
}

void gemm_i32(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C)
{
    answer(M, N, K, A, B, C);
}
