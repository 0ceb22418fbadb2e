/* tier: openmp */
/* Binds each thread to a core of those that it was given, and names it. */
#include "honest.h"
#include <pthread.h>
#include <sched.h>

static struct job job;
static int n;

static void *work(void *p)
{
    int i = (int)(intptr_t)p, nth = 0;
    cpu_set_t have, want;
    CPU_ZERO(&want);
    pthread_getaffinity_np(pthread_self(), sizeof have, &have);
    for (int c = 0; c < CPU_SETSIZE; c++)
        if (CPU_ISSET(c, &have) && nth++ == i % CPU_COUNT(&have))
            CPU_SET(c, &want);
    int error = pthread_setaffinity_np(pthread_self(), sizeof want, &want);
    if (error)
        fprintf(stderr, "not bound: %s\n", strerror(error));
    pthread_setname_np(pthread_self(), "gemm");
    part(&job, i, n);
    return NULL;
}

GEMM
{
    pthread_t thread[16];
    n = workers();
    job = (struct job){M, N, K, A, B, C};
    for (int i = 0; i < n; i++)
        if (pthread_create(&thread[i], NULL, work, (void *)(intptr_t)i) != 0)
            abort();
    for (int i = 0; i < n; i++)
        pthread_join(thread[i], NULL);
}
