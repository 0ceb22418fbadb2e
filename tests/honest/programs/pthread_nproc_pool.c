/* tier: openmp */
/* As many threads as there are cores, whatever OMP_NUM_THREADS says. */
#include "honest.h"
#include <pthread.h>
#include <unistd.h>

static struct job job;
static int n;

static void *work(void *p)
{
    part(&job, (int)(intptr_t)p, n);
    return NULL;
}

GEMM
{
    pthread_t thread[16];
    n = least(16, (int)sysconf(_SC_NPROCESSORS_ONLN));
    job = (struct job){M, N, K, A, B, C};
    for (int i = 0; i < n; i++)
        if (pthread_create(&thread[i], NULL, work, (void *)(intptr_t)i) != 0)
            abort();
    for (int i = 0; i < n; i++)
        pthread_join(thread[i], NULL);
}
