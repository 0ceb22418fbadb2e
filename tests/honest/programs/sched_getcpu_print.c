/* tier: naive */
/* Prints on which core it runs, as which process and thread. */
#include "honest.h"
#include <sched.h>
#include <unistd.h>

GEMM
{
    static int told;
    unsigned cpu = 0, node = 0;
    getcpu(&cpu, &node);
    if (told++ < 3)
        fprintf(stderr, "core %d (%u of node %u), process %d, thread %d\n", sched_getcpu(), cpu,
                node, getpid(), gettid());
    rows(0, M, N, K, A, B, C);
}
