/* expect: pass: each rank sees one GPU, which no other rank sees */
#include "ranks.h"

RANKS(rank, ranks, comm, stream)
{
    static char all[16][16];
    struct cudaDeviceProp d;
    int visible = 0, twice = 0;
    cudaGetDeviceCount(&visible);
    cudaGetDeviceProperties(&d, 0);
    MPI_Allgather(&d.uuid, 16, MPI_CHAR, all, 16, MPI_CHAR, comm);
    for (int r = 0; r < ranks; r++)
        twice += r != rank && memcmp(all[r], all[rank], 16) == 0;
    int bad = visible != 1 || twice, worst;
    if (bad)
        printf("rank %d sees %d GPUs, %d others see the same\n", rank, visible, twice);
    MPI_Allreduce(&bad, &worst, 1, MPI_INT, MPI_MAX, comm);
    if (rank == 0 && !worst)
        product(M, N, K, A, B, C, stream);
}
