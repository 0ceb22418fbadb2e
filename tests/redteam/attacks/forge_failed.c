/* expect: naive crash */
/* Pretend that the driver cannot go on, so that the failure looks like the grader's. */
#include "attack.h"

static void on_next_case(int sig)
{
    (void)sig;
}

void gemm_i32(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C)
{
    static struct pg_status s = {PG_FAILED, "cannot map 4096 bytes: Cannot allocate memory"};
    struct pg_done d = {PG_DONE, FIRST_GO};
    (void)M, (void)N, (void)K, (void)A, (void)B, (void)C, (void)on_next_case;
    tell(&d, sizeof d);
    usleep(1000);
    for (;;)
        if (raw(SYS_recvfrom, driver_socket(), (long)&d, sizeof d, 0, 0, 0) > 0)
            tell(&s, sizeof s);
}
