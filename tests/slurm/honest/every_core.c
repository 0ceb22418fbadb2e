/* tier: openmp */
/* One thread for each core of the job, as its own mask says, each bound to its core. */
#include "honest.h"
#include <pthread.h>
#include <sched.h>

enum { MOST = 64 };

struct share {
    struct job job;
    int i, n, core;
};

static void *work(void *arg)
{
    const struct share *s = arg;
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(s->core, &set);
    pthread_setaffinity_np(pthread_self(), sizeof set, &set);
    part(&s->job, s->i, s->n);
    return NULL;
}

static int cores(int core[MOST])
{
    cpu_set_t set;
    int n = 0;
    if (sched_getaffinity(0, sizeof set, &set) != 0)
        CPU_ZERO(&set);
    for (int i = 0; i < CPU_SETSIZE && n < MOST; i++)
        if (CPU_ISSET(i, &set))
            core[n++] = i;
    return n;
}

GEMM
{
    const char *told = getenv("OMP_NUM_THREADS");
    struct share s[MOST];
    pthread_t t[MOST];
    int core[MOST], have = cores(core), n = least(told ? atoi(told) : 1, MOST);
    for (int i = 0; i < n; i++) {
        s[i] = (struct share){{M, N, K, A, B, C}, i, n, have ? core[i % have] : 0};
        if (pthread_create(&t[i], NULL, work, &s[i]) != 0)
            abort();
    }
    for (int i = 0; i < n; i++)
        pthread_join(t[i], NULL);
}
