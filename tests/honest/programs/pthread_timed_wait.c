/* tier: clocks */
/* Waits for its threads with a time limit. */
#include "honest.h"
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

static struct job job;
static sem_t done;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *p)
{
    part(&job, 0, 1);
    sem_post(&done);
    return p;
}

GEMM
{
    pthread_t t;
    struct timespec until;
    job = (struct job){M, N, K, A, B, C};
    sem_init(&done, 0, 0);
    if (pthread_create(&t, NULL, work, NULL) != 0)
        abort();
    timespec_get(&until, TIME_UTC);
    until.tv_sec += 10;
    while (sem_timedwait(&done, &until) != 0)
        ;
    if (pthread_mutex_timedlock(&lock, &until) == 0)
        pthread_mutex_unlock(&lock);
    pthread_join(t, NULL);
}
