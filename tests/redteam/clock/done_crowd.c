/* expect: naive */
/* SIGSTOP is delivered to the first thread, which must get a core to see it. That one has had more
 * than its share, and many others want the core: they compute until its turn comes. */
#include "clock.h"

enum { THREADS = 48, EARLY = 12 };

static struct task *job;
static int part, finished;

static void *work(void *unused)
{
    (void)unused;
    for (int p; (p = __atomic_fetch_add(&part, 1, __ATOMIC_RELAXED)) < job->m;) {
        if (p == EARLY)
            say_done_and_wait(job->sequence);
        task_part(job, (unsigned)p, (unsigned)job->m);
        __atomic_add_fetch(&finished, 1, __ATOMIC_RELEASE);
    }
    return NULL;
}

static void perform(struct task *t)
{
    pthread_t crowd[THREADS];
    job = t;
    part = finished = 0;
    for (int i = 0; i < THREADS; i++)
        pthread_create(&crowd[i], NULL, work, NULL);
    while (__atomic_load_n(&finished, __ATOMIC_ACQUIRE) < t->m)
        ;
    for (int i = 0; i < THREADS; i++)
        pthread_join(crowd[i], NULL);
}

static void trick(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C)
{
    take_over(M, N, K, A, B, C, perform);
}
