/* tier: naive */
/* Buffers that are kept between calls and grow. */
#include "honest.h"

GEMM
{
    static int32_t *copy;
    static size_t have;
    if ((size_t)K * N > have) {
        have = (size_t)K * N;
        free(copy);
        copy = malloc(have * sizeof *copy);
    }
    memcpy(copy, B, (size_t)K * N * sizeof *B);
    rows(0, M, N, K, A, copy, C);
}
