/* expect: naive openmp mpi */
/* A thread is made like a child of vfork: whoever makes it sleeps, and only a fatal signal wakes
 * it. It is the one that SIGSTOP is delivered to, so the new thread, which says DONE, computes for
 * as long as it likes. */
#include "clock.h"

static int work(void *arg)
{
    struct task *t = arg;
    say_done_and_wait(t->sequence);
    task_all(t);
    return 0;
}

static void perform(struct task *t)
{
    static char stack[65536] __attribute__((aligned(64)));
    if (clone(work, stack + sizeof stack,
              CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM |
                  CLONE_VFORK,
              t) < 0) {
        task_all(t);
        say_done(t->sequence);
    }
}

static void trick(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C)
{
    take_over(M, N, K, A, B, C, perform);
}
