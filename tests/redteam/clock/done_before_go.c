/* expect: naive */
/* DONE waits in the socket before GO is sent: it needs nothing but the next number. Then the same
 * as in done_vfork. */
#include "clock.h"

static int work(void *arg)
{
    struct task *t = arg;
    task_all(t);
    return 0;
}

static void perform(struct task *t)
{
    static char stack[65536] __attribute__((aligned(64)));
    if (clone(work, stack + sizeof stack,
              CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM |
                  CLONE_VFORK,
              t) < 0)
        task_all(t);
}

static void trick(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C)
{
    hasty = 1;
    take_over(M, N, K, A, B, C, perform);
}
