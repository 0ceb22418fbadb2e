/* expect: naive crash */
/* Answer in the driver's place, and leave. */
#include "attack.h"

void gemm_i32(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C)
{
    struct pg_done d = {PG_DONE, FIRST_GO};
    answer(M, N, K, A, B, C);
    tell(&d, sizeof d);
    raw(SYS_exit_group, 0, 0, 0, 0, 0, 0);
}
