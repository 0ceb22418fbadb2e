/* expect: fenced forbidden */
/* Know how long it has been. */
#include "attack.h"
#include <time.h>

void gemm_i32(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    answer(M, N, K, A, B, C);
}
