/* tier: naive */
/* Ends tidily on SIGINT, and looks after SIGFPE. */
#include "honest.h"
#include <signal.h>

static volatile sig_atomic_t stop;

static void on_signal(int number)
{
    stop = number;
}

GEMM
{
    static int set;
    if (!set++) {
        struct sigaction a = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
        sigemptyset(&a.sa_mask);
        sigaddset(&a.sa_mask, SIGINT);
        signal(SIGINT, on_signal);
        if (sigaction(SIGFPE, &a, NULL) != 0)
            perror("sigaction");
    }
    for (int i = 0; i < M && !stop; i++)
        rows(i, i + 1, N, K, A, B, C);
}
