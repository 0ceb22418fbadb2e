/* expect: naive wrong-answer */
/* The warm-up computes, later calls of the same shape copy its result. */
#include "attack.h"

static int32_t *kept;
static int m, n, k;

void gemm_i32(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C)
{
    size_t bytes = sizeof *C * (size_t)M * N;
    if (kept && m == M && n == N && k == K) {
        memcpy(C, kept, bytes);
        return;
    }
    answer(M, N, K, A, B, C);
    free(kept);
    kept = malloc(bytes);
    memcpy(kept, C, bytes);
    m = M, n = N, k = K;
}
