/* tier: naive */
/* A workspace of 100 MB, touched once in the first call. */
#include "honest.h"

GEMM
{
    static char *space;
    if (!space) {
        space = malloc(100 << 20);
        memset(space, 1, 100 << 20);
    }
    memcpy(space, B, (size_t)K * N * sizeof *B);
    rows(0, M, N, K, A, (int32_t *)space, C);
}
