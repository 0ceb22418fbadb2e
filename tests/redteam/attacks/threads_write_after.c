/* expect: openmp wrote-out-of-bounds */
/* All threads write behind C at the same moment: what is said must not depend on who is first. */
#include "attack.h"

void gemm_i32(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C)
{
    answer(M, N, K, A, B, C);
#pragma omp parallel
    {
#pragma omp barrier
        ((volatile int32_t *)C)[(size_t)M * N + 4096] = 1;
    }
}
