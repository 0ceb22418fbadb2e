/* expect: naive pass */
/* Two threads in a tier of one: they share the one core. */
#include "attack.h"
#include <pthread.h>
#include <time.h>

static void *busy(void *unused)
{
    struct timespec from, now;
    clock_gettime(CLOCK_MONOTONIC, &from);
    do
        clock_gettime(CLOCK_MONOTONIC, &now);
    while ((now.tv_sec - from.tv_sec) * 1000 + (now.tv_nsec - from.tv_nsec) / 1000000 < 40);
    return unused;
}

void gemm_i32(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C)
{
    static int calls;
    pthread_t t;
    if (++calls % 3 == 0 && pthread_create(&t, NULL, busy, NULL) == 0) {
        busy(NULL);
        pthread_join(t, NULL);
    }
    answer(M, N, K, A, B, C);
}
