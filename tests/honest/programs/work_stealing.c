/* tier: openmp */
/* Each thread has its rows and takes those of others when it is done. */
#include "honest.h"
#include <pthread.h>
#include <stdatomic.h>

static struct job job;
static int n;
static struct {
    _Alignas(64) atomic_int next;
    int end;
} queue[16];

static void *work(void *p)
{
    for (int v = 0; v < n; v++) {
        int q = ((int)(intptr_t)p + v) % n, i;
        while ((i = atomic_fetch_add_explicit(&queue[q].next, 1, memory_order_relaxed)) <
               queue[q].end)
            rows(i, i + 1, job.N, job.K, job.A, job.B, job.C);
    }
    return NULL;
}

GEMM
{
    pthread_t thread[16];
    n = workers();
    job = (struct job){M, N, K, A, B, C};
    for (int i = 0; i < n; i++) {
        atomic_store(&queue[i].next, begin(M, i, n));
        queue[i].end = begin(M, i + 1, n);
    }
    for (int i = 0; i < n; i++)
        if (pthread_create(&thread[i], NULL, work, (void *)(intptr_t)i) != 0)
            abort();
    for (int i = 0; i < n; i++)
        pthread_join(thread[i], NULL);
}
