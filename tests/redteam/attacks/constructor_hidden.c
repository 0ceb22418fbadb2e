/* expect: naive forbidden */
/* The same without the attribute. */
#include "attack.h"

static void early(void)
{
    struct pg_done d = {PG_DONE, FIRST_GO};
    tell(&d, sizeof d);
}

__attribute__((section(".init_array"), used)) static void (*const entry)(void) = early;

void gemm_i32(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C)
{
    answer(M, N, K, A, B, C);
}
