/* tier: naive */
/* Lets no signal interrupt its critical part. */
#include "honest.h"
#include <signal.h>

GEMM
{
    sigset_t want, before;
    sigemptyset(&want);
    sigaddset(&want, SIGINT);
    sigprocmask(SIG_BLOCK, &want, &before);
    rows(0, M, N, K, A, B, C);
    sigprocmask(SIG_SETMASK, &before, NULL);
}
