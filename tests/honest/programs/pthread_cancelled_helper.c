/* tier: openmp */
/* Ends a waiting helper by pthread_cancel, with a clean-up handler. */
#include "honest.h"
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;

static void release(void *p)
{
    pthread_mutex_unlock(p);
}

static void *helper(void *p)
{
    (void)p;
    pthread_mutex_lock(&lock);
    pthread_cleanup_push(release, &lock);
    for (;;)
        pthread_cond_wait(&never, &lock);
    pthread_cleanup_pop(1);
    return NULL;
}

GEMM
{
    pthread_t t;
    void *how;
    if (pthread_create(&t, NULL, helper, NULL) != 0)
        abort();
    rows(0, M, N, K, A, B, C);
    pthread_cancel(t);
    pthread_join(t, &how);
    if (how != PTHREAD_CANCELED)
        abort();
}
