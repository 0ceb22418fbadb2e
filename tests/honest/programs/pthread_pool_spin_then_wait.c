/* tier: openmp */
/* A pool that spins for a while after each call before it waits on a semaphore. */
#include "honest.h"
#include <immintrin.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

static struct job job;
static int n;
static sem_t ready[16], finished;

static void *worker(void *p)
{
    int i = (int)(intptr_t)p;
    for (;;) {
        int tries = 0;
        while (sem_trywait(&ready[i]) != 0)
            if (++tries == 2000)
                break;
            else
                _mm_pause();
        if (tries == 2000)
            while (sem_wait(&ready[i]) != 0)
                ;
        part(&job, i, n);
        sem_post(&finished);
    }
    return NULL;
}

GEMM
{
    if (n == 0) {
        n = workers();
        sem_init(&finished, 0, 0);
        for (int i = 0; i < n; i++) {
            pthread_t t;
            sem_init(&ready[i], 0, 0);
            if (pthread_create(&t, NULL, worker, (void *)(intptr_t)i) != 0)
                abort();
            pthread_detach(t);
        }
    }
    job = (struct job){M, N, K, A, B, C};
    for (int i = 0; i < n; i++)
        sem_post(&ready[i]);
    for (int i = 0; i < n; i++)
        while (sem_wait(&finished) != 0)
            ;
}
