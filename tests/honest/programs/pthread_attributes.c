/* tier: openmp */
/* Threads whose attributes are set, to what they would have been: policy, priority, affinity. */
#include "honest.h"
#include <pthread.h>
#include <sched.h>

static struct job job;
static int n;

static void must(int error)
{
    if (!error)
        return;
    fprintf(stderr, "threads: %s\n", strerror(error));
    abort();
}

static void *work(void *p)
{
    struct sched_param param;
    int policy;
    must(pthread_getschedparam(pthread_self(), &policy, &param));
    must(pthread_setschedparam(pthread_self(), policy, &param));
    must(pthread_setschedprio(pthread_self(), param.sched_priority));
    part(&job, (int)(intptr_t)p, n);
    return NULL;
}

GEMM
{
    const struct sched_param param = {.sched_priority = 0};
    pthread_attr_t ordinary, bound;
    pthread_t thread[16];
    cpu_set_t have;
    must(pthread_attr_init(&ordinary));
    must(pthread_attr_setinheritsched(&ordinary, PTHREAD_EXPLICIT_SCHED));
    must(pthread_attr_setschedpolicy(&ordinary, SCHED_OTHER));
    must(pthread_attr_setschedparam(&ordinary, &param));
    must(pthread_attr_init(&bound));
    must(pthread_getaffinity_np(pthread_self(), sizeof have, &have));
    must(pthread_attr_setaffinity_np(&bound, sizeof have, &have));
    n = workers();
    job = (struct job){M, N, K, A, B, C};
    for (int i = 0; i < n; i++)
        must(pthread_create(&thread[i], i % 2 ? &ordinary : &bound, work, (void *)(intptr_t)i));
    for (int i = 0; i < n; i++)
        pthread_join(thread[i], NULL);
    pthread_attr_destroy(&ordinary);
    pthread_attr_destroy(&bound);
}
