/* expect: naive crash|wrote-input|wrote-out-of-bounds */
/* Tell absurd stories about how one died. */
#include "attack.h"

void gemm_i32(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C)
{
    struct pg_fault f = {
        PG_FAULT,           -77, 1 << 30, 99, 7, -5, UINT64_MAX - 1, UINT64_C(1) << 63, 1,
        {UINT64_C(1) << 62}};
    (void)M, (void)N, (void)K, (void)A, (void)B, (void)C;
    tell(&f, sizeof f);
    raw(SYS_exit_group, 0, 0, 0, 0, 0, 0);
}
