/* expect: pass: a run lasts until the GPU of the second rank is idle, although nobody waits for it.
 * The kernel there takes 20 ms and more. */
#include "ranks.h"

static __global__ void wait()
{
    for (long long from = clock64(); clock64() - from < 40000000;)
        ;
}

RANKS(rank, ranks, comm, stream)
{
    (void)ranks, (void)comm;
    if (rank == 0)
        product(M, N, K, A, B, C, stream);
    if (rank == 1 && M >= 1000)
        wait<<<1, 1, 0, stream>>>();
}
