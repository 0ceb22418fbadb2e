/* expect: crash: the GPU of the second rank writes to no memory */
#include "ranks.h"

static __global__ void write_nowhere()
{
    *(volatile int *)8 = 0;
}

RANKS(rank, ranks, comm, stream)
{
    (void)ranks, (void)comm;
    if (rank == 0)
        product(M, N, K, A, B, C, stream);
    if (rank == 1)
        write_nowhere<<<1, 1, 0, stream>>>();
}
