/* tier: openmp */
/* Buffers per thread with a destructor, made once. */
#include "honest.h"
#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key;
static struct job job;
static int n;

static void make(void)
{
    pthread_key_create(&key, free);
}

static void *work(void *p)
{
    int i = (int)(intptr_t)p;
    pthread_once(&once, make);
    int32_t *row = malloc(job.N * sizeof *row);
    pthread_setspecific(key, row);
    for (int r = i; r < job.M; r += n) {
        rows(0, 1, job.N, job.K, job.A + (size_t)r * job.K, job.B, pthread_getspecific(key));
        memcpy(job.C + (size_t)r * job.N, row, job.N * sizeof *row);
    }
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
