/* expect: naive build-error */
/* A precompiled header from anywhere. */
#include "attack.h"
#pragma GCC pch_preprocess SECRET

void gemm_i32(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C)
{
    answer(M, N, K, A, B, C);
}
