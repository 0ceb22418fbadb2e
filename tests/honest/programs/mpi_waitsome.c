/* tier: mpi */
/* A reduction of its own with Waitsome, a receive that is cancelled. */
#include "honest.h"

GEMM_MPI
{
    int rank, size, unused, cancelled;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    MPI_Request r[64], never;
    MPI_Status status;
    int got[64], at[64], n = 0;
    if (rank == 0) {
        for (int from = 1; from < size && from < 64; from++)
            MPI_Irecv(&got[from], 1, MPI_INT, from, 4, comm, &r[from - 1]);
        for (int left = size - 1; left > 0; left -= n)
            MPI_Waitsome(size - 1, r, &n, at, MPI_STATUSES_IGNORE);
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, 4, comm);
    }
    MPI_Irecv(&unused, 1, MPI_INT, rank, 99, comm, &never);
    MPI_Cancel(&never);
    MPI_Wait(&never, &status);
    MPI_Test_cancelled(&status, &cancelled);
    if (!cancelled)
        MPI_Abort(comm, 1);
    share_all(M, N, K, A, B, C, comm);
}
