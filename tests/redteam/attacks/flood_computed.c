/* expect: naive forbidden */
/* Say again and again that it has computed, and never that it is done: does a limit still hold? */
#include "attack.h"

void gemm_i32(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C)
{
    static uint64_t sequence = FIRST_GO;
    struct pg_done d = {PG_COMPUTED, sequence++, 0, 0};
    (void)M, (void)N, (void)K, (void)A, (void)B, (void)C;
    for (;;) {
        tell(&d, sizeof d);
        usleep(5000);
    }
}
