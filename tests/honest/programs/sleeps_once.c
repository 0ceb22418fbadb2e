/* tier: naive */
/* Sleeps a little in the first call, by three functions. */
#include "honest.h"
#include <time.h>
#include <unistd.h>

GEMM
{
    static int slept;
    if (!slept++) {
        const struct timespec t = {0, 1000000};
        usleep(1000);
        nanosleep(&t, NULL);
        clock_nanosleep(CLOCK_MONOTONIC, 0, &t, NULL);
    }
    rows(0, M, N, K, A, B, C);
}
