/* tier: openmp */
/* Rows handed out under a read-write lock, counted under a spin lock. */
#include "honest.h"
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t spin;
static struct job job;
static int next, finished;

static void *work(void *p)
{
    (void)p;
    for (;;) {
        pthread_rwlock_wrlock(&lock);
        int i = next++;
        pthread_rwlock_unlock(&lock);
        pthread_rwlock_rdlock(&lock);
        int M = job.M;
        pthread_rwlock_unlock(&lock);
        if (i >= M)
            return NULL;
        rows(i, i + 1, job.N, job.K, job.A, job.B, job.C);
        pthread_spin_lock(&spin);
        finished++;
        pthread_spin_unlock(&spin);
    }
}

GEMM
{
    pthread_t thread[16];
    int n = workers();
    pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
    job = (struct job){M, N, K, A, B, C};
    next = finished = 0;
    for (int i = 0; i < n; i++)
        if (pthread_create(&thread[i], NULL, work, NULL) != 0)
            abort();
    for (int i = 0; i < n; i++)
        pthread_join(thread[i], NULL);
    if (finished != M)
        abort();
}
