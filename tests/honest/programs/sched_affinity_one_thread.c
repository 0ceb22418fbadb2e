/* tier: naive */
/* Binds itself to the core it runs on; where it may not, it goes on. */
#include "honest.h"
#include <sched.h>

GEMM
{
    static int bound;
    if (!bound++) {
        cpu_set_t have, want;
        CPU_ZERO(&want);
        sched_getaffinity(0, sizeof have, &have);
        CPU_SET(sched_getcpu(), &want);
        if (CPU_COUNT(&have) > 1 && sched_setaffinity(0, sizeof want, &want) != 0)
            perror("sched_setaffinity");
    }
    rows(0, M, N, K, A, B, C);
}
