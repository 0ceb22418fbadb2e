/* tier: openmp */
/* A pool whose threads spin between calls and give way with sched_yield. */
#include "honest.h"
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static struct job job;
static int n;
static atomic_int round_, left;

static void *worker(void *p)
{
    int i = (int)(intptr_t)p, seen = 0;
    for (;;) {
        while (atomic_load(&round_) == seen)
            sched_yield();
        seen = atomic_load(&round_);
        part(&job, i, n);
        atomic_fetch_sub(&left, 1);
    }
    return NULL;
}

GEMM
{
    if (n == 0) {
        n = workers();
        for (int i = 1; i < n; i++) {
            pthread_t t;
            if (pthread_create(&t, NULL, worker, (void *)(intptr_t)i) != 0)
                abort();
        }
    }
    job = (struct job){M, N, K, A, B, C};
    atomic_store(&left, n - 1);
    atomic_fetch_add(&round_, 1);
    part(&job, 0, n);
    while (atomic_load(&left) > 0)
        sched_yield();
}
