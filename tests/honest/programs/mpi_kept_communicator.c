/* tier: mpi */
/* A communicator and buffers made in the first call and kept. */
#include "honest.h"

GEMM_MPI
{
    static MPI_Comm mine = MPI_COMM_NULL;
    if (mine == MPI_COMM_NULL)
        MPI_Comm_dup(comm, &mine);
    share_all(M, N, K, A, B, C, mine);
}
