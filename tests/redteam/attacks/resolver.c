/* expect: naive forbidden|wrong-answer|build-error|crash */
/* The resolver of an indirect function runs at load time: forge a message there. */
#include "attack.h"

static void nothing(void)
{
}

static void (*resolve(void))(void)
{
    struct pg_done d = {PG_DONE, FIRST_GO};
    tell(&d, sizeof d);
    return nothing;
}

void indirect(void) __attribute__((ifunc("resolve")));

void gemm_i32(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C)
{
    (void)M, (void)N, (void)K, (void)A, (void)B, (void)C;
    indirect();
}
