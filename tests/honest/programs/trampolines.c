/* tier: naive */
/* A nested function whose address is taken: code on the stack. */
#include "honest.h"

static void each(int n, void (*f)(int))
{
    for (int i = 0; i < n; i++)
        f(i);
}

GEMM
{
    void row(int i)
    {
        rows(i, i + 1, N, K, A, B, C);
    }
    each(M, row);
}
