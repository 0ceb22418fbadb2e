/* expect: naive openmp mpi */
/* The thread that SIGSTOP is delivered to is in a long system call that only a fatal signal
 * interrupts - it populates a large mapping - while another, which said DONE, computes. Some of
 * it is done before, or the samples were so short that many calls are put into each. */
#include "clock.h"

enum { PARTS = 6 };

static struct task *job;
static volatile int turn;

static void *work(void *unused)
{
    (void)unused;
    say_done_and_wait(job->sequence);
    for (unsigned part = 1; part < PARTS; part++)
        task_part(job, part, PARTS);
    turn = 2;
    return NULL;
}

static void perform(struct task *t)
{
    const size_t most = 1UL << 32;
    char *p = mmap(NULL, most, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
                   -1, 0);
    pthread_t worker;
    madvise(p, most, MADV_NOHUGEPAGE);
    job = t;
    turn = 1;
    task_part(t, 0, PARTS);
    if (p == MAP_FAILED || pthread_create(&worker, NULL, work, NULL) != 0) {
        task_all(t);
        say_done(t->sequence);
        return;
    }
    while (turn != 2) {
        raw(SYS_madvise, (long)p, (long)most, 22 /* MADV_POPULATE_READ */, 0, 0, 0);
        raw(SYS_madvise, (long)p, (long)most, MADV_DONTNEED, 0, 0, 0);
    }
    pthread_join(worker, NULL);
    munmap(p, most);
}

static void trick(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C)
{
    take_over(M, N, K, A, B, C, perform);
}
