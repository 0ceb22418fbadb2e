/* tier: naive */
/* longjmp out of a function without destructors, from C++. */
#include "honest.h"
#include <csetjmp>

static std::jmp_buf failed;

static void may_fail(int n)
{
    if (n > 10)
        std::longjmp(failed, 1);
}

GEMM
{
    if (setjmp(failed) == 0)
        may_fail(M);
    rows(0, M, N, K, A, B, C);
}
