/* tier: openmp */
/* Two threads of its own, each with a team. */
#include "honest.h"
#include <omp.h>
#include <pthread.h>

static struct job job;

static void *half(void *p)
{
    int h = (int)(intptr_t)p;
#pragma omp parallel for num_threads(2)
    for (int i = begin(job.M, h, 2); i < begin(job.M, h + 1, 2); i++)
        rows(i, i + 1, job.N, job.K, job.A, job.B, job.C);
    return NULL;
}

GEMM
{
    pthread_t t;
    job = (struct job){M, N, K, A, B, C};
    if (pthread_create(&t, NULL, half, (void *)1) != 0)
        abort();
    half(NULL);
    pthread_join(t, NULL);
}
