/* tier: naive */
/* Six megabytes on the stack. */
#include "honest.h"

GEMM
{
    int32_t copy[1 << 19][3]; /* touched only as far as it is needed */
    int32_t *b = &copy[0][0];
    if ((size_t)K * N > sizeof copy / sizeof *b)
        abort();
    memcpy(b, B, (size_t)K * N * sizeof *B);
    b[sizeof copy / sizeof *b - 1] = 0;
    rows(0, M, N, K, A, b, C);
}
