/* expect: naive forbidden */
/* Define clock_gettime, in the hope that somebody asks it. */
#include "attack.h"
#include <time.h>

int clock_gettime(clockid_t id, struct timespec *t)
{
    (void)id;
    t->tv_sec = 0;
    t->tv_nsec = 1;
    return 0;
}

void gemm_i32(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C)
{
    answer(M, N, K, A, B, C);
}
