/* expect: naive pass */
/* Honest: a student who times and prints. */
#include "attack.h"
#include <time.h>

void gemm_i32(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C)
{
    struct timespec from, to;
    clock_gettime(CLOCK_MONOTONIC, &from);
    answer(M, N, K, A, B, C);
    clock_gettime(CLOCK_MONOTONIC, &to);
    printf("%dx%dx%d: %ld ns\n", M, N, K,
           (to.tv_sec - from.tv_sec) * 1000000000 + to.tv_nsec - from.tv_nsec);
}
