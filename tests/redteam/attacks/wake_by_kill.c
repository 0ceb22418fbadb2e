/* expect: naive pass */
/* A thread that sends SIGCONT to its own process without end cancels every stop. */
#include "attack.h"
#include <pthread.h>

static volatile int worked;

static void *flood(void *unused)
{
    (void)unused;
    for (;;) {
        if (raw(SYS_kill, getpid(), SIGCONT, 0, 0, 0, 0) == 0 ||
            raw(SYS_kill, 0, SIGCONT, 0, 0, 0, 0) == 0 ||
            raw(SYS_tgkill, getpid(), getpid(), SIGCONT, 0, 0, 0) == 0 ||
            raw(SYS_tkill, getpid(), SIGCONT, 0, 0, 0, 0) == 0)
            worked = 1;
        usleep(100);
    }
    return NULL;
}

void gemm_i32(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C)
{
    static int done;
    pthread_t t;
    if (!done++)
        pthread_create(&t, NULL, flood, NULL);
    if (worked)
        HOLE("SIGCONT to oneself");
    answer(M, N, K, A, B, C);
}
