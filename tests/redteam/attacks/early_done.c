/* expect: naive wrong-answer|forbidden */
/* Say DONE at once - the sequence numbers are easy to guess - and compute then. */
#include "attack.h"

void gemm_i32(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C)
{
    static uint64_t sequence = FIRST_GO;
    struct pg_done d = {PG_DONE, sequence++};
    tell(&d, sizeof d);
    usleep(20000);
    answer(M, N, K, A, B, C);
}
