/* tier: naive */
/* A coroutine of <ucontext.h> gives the rows, and a signal to itself counts them. */
#include "honest.h"
#include <sched.h>
#include <signal.h>
#include <ucontext.h>
#include <unistd.h>

static ucontext_t caller, worker;
static volatile sig_atomic_t done;
static int row;

static void on_signal(int number)
{
    (void)number;
    done++;
}

static void next_rows(void)
{
    for (row = 0;; row++)
        swapcontext(&worker, &caller);
}

GEMM
{
    static char stack[65536];
    if (signal(SIGUSR1, on_signal) == SIG_ERR || getcontext(&worker) != 0 || !environ ||
        sched_getscheduler(0) != SCHED_OTHER || sched_get_priority_max(SCHED_OTHER) != 0)
        abort();
    worker.uc_stack.ss_sp = stack;
    worker.uc_stack.ss_size = sizeof stack;
    makecontext(&worker, next_rows, 0);
    done = 0;
    for (int i = 0; i < M; i++) {
        swapcontext(&caller, &worker);
        rows(row, row + 1, N, K, A, B, C);
        raise(SIGUSR1);
    }
    if (done != M)
        abort();
}
