/* tier: openmp */
/* New threads in each call, joined before it ends. */
#include "honest.h"
#include <pthread.h>

struct one {
    struct job job;
    int i, n;
};

static void *work(void *p)
{
    const struct one *o = p;
    part(&o->job, o->i, o->n);
    return NULL;
}

GEMM
{
    pthread_t thread[16];
    struct one one[16];
    int n = workers();
    for (int i = 0; i < n; i++) {
        one[i] = (struct one){{M, N, K, A, B, C}, i, n};
        if (pthread_create(&thread[i], NULL, work, &one[i]) != 0)
            abort();
    }
    for (int i = 0; i < n; i++)
        pthread_join(thread[i], NULL);
}
