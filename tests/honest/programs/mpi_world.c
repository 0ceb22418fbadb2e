/* tier: mpi */
/* MPI_COMM_WORLD itself instead of the communicator that it is given; MPI_COMM_SELF. */
#include "honest.h"

GEMM_MPI
{
    int rank, size, ours;
    (void)comm;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_SELF, &ours);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    share_all(M, N, K, A, B, C, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
    if (ours != 1 || rank >= size)
        MPI_Abort(MPI_COMM_WORLD, 1);
}
