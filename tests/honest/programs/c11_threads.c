/* tier: openmp */
/* Threads, mutexes, storage per thread and call_once of C11. */
#include "honest.h"
#include <threads.h>

static once_flag once = ONCE_FLAG_INIT;
static mtx_t lock;
static cnd_t changed;
static tss_t key;
static struct job job;
static int n, ready;

static void make(void)
{
    mtx_init(&lock, mtx_plain);
    cnd_init(&changed);
    tss_create(&key, free);
}

static int work(void *p)
{
    mtx_lock(&lock);
    while (!ready)
        cnd_wait(&changed, &lock);
    mtx_unlock(&lock);
    tss_set(key, malloc(16));
    thrd_yield();
    part(&job, (int)(intptr_t)p, n);
    return tss_get(key) ? 0 : 1;
}

GEMM
{
    thrd_t thread[16];
    call_once(&once, make);
    n = workers();
    ready = 0;
    job = (struct job){M, N, K, A, B, C};
    for (int i = 0; i < n; i++)
        if (thrd_create(&thread[i], work, (void *)(intptr_t)i) != thrd_success)
            abort();
    mtx_lock(&lock);
    ready = 1;
    cnd_broadcast(&changed);
    mtx_unlock(&lock);
    for (int i = 0, bad; i < n; i++)
        if (thrd_join(thread[i], &bad) != thrd_success || bad)
            abort();
}
