/* tier: naive */
/* The exported function calls itself on halves of the rows. */
#include "honest.h"

GEMM
{
    if (M == 1) {
        rows(0, 1, N, K, A, B, C);
        return;
    }
    int half = M / 2;
    gemm_i32(half, N, K, A, B, C);
    gemm_i32(M - half, N, K, A + (size_t)half * K, B, C + (size_t)half * N);
}
