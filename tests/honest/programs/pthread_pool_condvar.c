/* tier: openmp */
/* Detached threads kept between calls, which wait on a condition variable. */
#include "honest.h"
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t start = PTHREAD_COND_INITIALIZER, finish = PTHREAD_COND_INITIALIZER;
static struct job job;
static int n, round_, left;

static void *worker(void *p)
{
    int i = (int)(intptr_t)p, seen = 0;
    for (;;) {
        pthread_mutex_lock(&lock);
        while (seen == round_)
            pthread_cond_wait(&start, &lock);
        seen = round_;
        struct job mine = job;
        pthread_mutex_unlock(&lock);
        part(&mine, i, n);
        pthread_mutex_lock(&lock);
        if (--left == 0)
            pthread_cond_signal(&finish);
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}

GEMM
{
    if (n == 0) {
        n = workers();
        for (int i = 0; i < n; i++) {
            pthread_t t;
            pthread_attr_t a;
            pthread_attr_init(&a);
            pthread_attr_setdetachstate(&a, PTHREAD_CREATE_DETACHED);
            if (pthread_create(&t, &a, worker, (void *)(intptr_t)i) != 0)
                abort();
            pthread_attr_destroy(&a);
        }
    }
    pthread_mutex_lock(&lock);
    job = (struct job){M, N, K, A, B, C};
    left = n;
    round_++;
    pthread_cond_broadcast(&start);
    while (left > 0)
        pthread_cond_wait(&finish, &lock);
    pthread_mutex_unlock(&lock);
}
