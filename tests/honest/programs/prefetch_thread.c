/* tier: openmp */
/* A second thread that only touches what the first will need. */
#include "honest.h"
#include <pthread.h>
#include <stdatomic.h>

static struct job job;
static atomic_int at;

static void *prefetch(void *p)
{
    (void)p;
    for (int i; (i = atomic_load(&at)) < job.M;)
        for (int k = 0; k < job.K; k += 16)
            __builtin_prefetch(&job.A[(size_t)i * job.K + k]);
    return NULL;
}

GEMM
{
    pthread_t t;
    job = (struct job){M, N, K, A, B, C};
    atomic_store(&at, 0);
    if (pthread_create(&t, NULL, prefetch, NULL) != 0)
        abort();
    for (int i = 0; i < M; i++) {
        rows(i, i + 1, N, K, A, B, C);
        atomic_fetch_add(&at, 1);
    }
    pthread_join(t, NULL);
}
