/* tier: naive */
/* Asks how large its stack may be before it takes a large array. */
#include "honest.h"
#include <sys/resource.h>

GEMM
{
    struct rlimit r;
    if (getrlimit(RLIMIT_STACK, &r) == 0 && r.rlim_cur > (1 << 20)) {
        int32_t copy[1 << 17];
        if ((size_t)K * N <= sizeof copy / sizeof *copy) {
            memcpy(copy, B, (size_t)K * N * sizeof *B);
            rows(0, M, N, K, A, copy, C);
            return;
        }
    }
    rows(0, M, N, K, A, B, C);
}
