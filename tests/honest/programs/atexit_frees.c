/* tier: naive */
/* Frees its buffers and says goodbye when the process ends. */
#include "honest.h"

static int32_t *copy;

static void goodbye(void)
{
    free(copy);
    puts("goodbye");
}

GEMM
{
    static int registered;
    if (!registered++)
        atexit(goodbye);
    copy = realloc(copy, (size_t)K * N * sizeof *B);
    memcpy(copy, B, (size_t)K * N * sizeof *B);
    rows(0, M, N, K, A, copy, C);
}
