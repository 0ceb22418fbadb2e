/* tier: naive */
/* Checks all that it is told. */
#include "honest.h"
#include <assert.h>
#include <limits.h>

GEMM
{
    assert(M > 0 && N > 0 && K > 0);
    assert(A && B && C && (uintptr_t)A % 64 == 0 && (uintptr_t)B % 64 == 0);
    assert(M <= INT_MAX / N && N <= INT_MAX / K);
    rows(0, M, N, K, A, B, C);
}
