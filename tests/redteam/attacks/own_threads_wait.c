/* expect: naive timeout */
/* Eight threads on one core wait for each other for twelve seconds: as long as they wait for a
 * core, somebody else may seem to be the reason that the limit of three seconds is not kept. */
#include "attack.h"
#include <pthread.h>
#include <time.h>

enum { THREADS = 8 };

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void *take_turns(void *end)
{
    while (now() < *(double *)end)
        sched_yield();
    return NULL;
}

void gemm_i32(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C)
{
    static int calls;
    double end = now() + 12;
    pthread_t t[THREADS];
    if (!calls++) {
        for (int i = 0; i < THREADS; i++)
            pthread_create(&t[i], NULL, take_turns, &end);
        for (int i = 0; i < THREADS; i++)
            pthread_join(t[i], NULL);
    }
    answer(M, N, K, A, B, C);
}
