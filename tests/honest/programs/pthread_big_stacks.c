/* tier: openmp */
/* Threads with stacks of 32 MB and large arrays on them. */
#include "honest.h"
#include <pthread.h>

static struct job job;
static int n;

static void *work(void *p)
{
    int32_t copy[1 << 21];
    copy[0] = copy[(1 << 21) - 1] = 0;
    struct job own = job;
    if ((size_t)job.K * job.N <= 1 << 21) {
        memcpy(copy, job.B, (size_t)job.K * job.N * sizeof *copy);
        own.B = copy;
    }
    part(&own, (int)(intptr_t)p, n);
    return NULL;
}

GEMM
{
    pthread_t thread[16];
    pthread_attr_t a;
    n = workers();
    job = (struct job){M, N, K, A, B, C};
    pthread_attr_init(&a);
    if (pthread_attr_setstacksize(&a, 32 << 20) != 0)
        abort();
    for (int i = 0; i < n; i++)
        if (pthread_create(&thread[i], &a, work, (void *)(intptr_t)i) != 0)
            abort();
    for (int i = 0; i < n; i++)
        pthread_join(thread[i], NULL);
    pthread_attr_destroy(&a);
}
