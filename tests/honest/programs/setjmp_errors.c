/* tier: naive */
/* Errors by setjmp and longjmp: out of a helper that finds no room, back to the plain way. */
#include "honest.h"
#include <setjmp.h>

static jmp_buf failed;

static int32_t *room(size_t n)
{
    static int32_t small[4096];
    if (n > 4096)
        longjmp(failed, 1);
    return small;
}

GEMM
{
    if (setjmp(failed) != 0) {
        rows(0, M, N, K, A, B, C);
        return;
    }
    int32_t *copy = room((size_t)K * N);
    memcpy(copy, B, (size_t)K * N * sizeof *B);
    rows(0, M, N, K, A, copy, C);
}
