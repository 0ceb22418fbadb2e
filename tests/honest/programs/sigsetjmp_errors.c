/* tier: naive */
/* The same by sigsetjmp and siglongjmp, _setjmp and _longjmp. */
#include "honest.h"
#include <setjmp.h>

static sigjmp_buf outer;
static jmp_buf inner;

static void fails(int how)
{
    if (how == 0)
        _longjmp(inner, 2);
    siglongjmp(outer, 3);
}

GEMM
{
    if (_setjmp(inner) == 0)
        fails(0);
    if (sigsetjmp(outer, 1) == 0)
        fails(1);
    rows(0, M, N, K, A, B, C);
}
