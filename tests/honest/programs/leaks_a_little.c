/* tier: naive */
/* Forgets a kilobyte in each call. */
#include "honest.h"

GEMM
{
    static int32_t *volatile last;
    last = malloc(1024);
    last[0] = M;
    rows(0, M, N, K, A, B, C);
}
