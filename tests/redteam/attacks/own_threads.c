/* expect: openmp pass */
/* Use more threads than one was given: what the grader gave is what counts. */
#include "attack.h"
#include <omp.h>

void gemm_i32(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C)
{
    int wanted = 0;
#pragma omp parallel num_threads(4) reduction(+ : wanted)
    wanted += 1;
    if (wanted < 1)
        HOLE("no threads");
    omp_set_num_threads(16);
    answer(M, N, K, A, B, C);
}
