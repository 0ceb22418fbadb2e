/* tier: openmp */
/* Threads that copy B together and meet at a barrier before they multiply. */
#include "honest.h"
#include <pthread.h>

static struct job job;
static int32_t *copy;
static int n;
static pthread_barrier_t meet;

static void *work(void *p)
{
    int i = (int)(intptr_t)p, from = begin(job.K, i, n), to = begin(job.K, i + 1, n);
    memcpy(copy + (size_t)from * job.N, job.B + (size_t)from * job.N,
           (size_t)(to - from) * job.N * sizeof *copy);
    pthread_barrier_wait(&meet);
    struct job own = job;
    own.B = copy;
    part(&own, i, n);
    return NULL;
}

GEMM
{
    pthread_t thread[16];
    n = workers();
    job = (struct job){M, N, K, A, B, C};
    copy = malloc((size_t)K * N * sizeof *copy);
    pthread_barrier_init(&meet, NULL, n);
    for (int i = 1; i < n; i++)
        if (pthread_create(&thread[i], NULL, work, (void *)(intptr_t)i) != 0)
            abort();
    work(NULL);
    for (int i = 1; i < n; i++)
        pthread_join(thread[i], NULL);
    pthread_barrier_destroy(&meet);
    free(copy);
}
