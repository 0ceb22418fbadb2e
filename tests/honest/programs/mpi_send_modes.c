/* tier: mpi */
/* Synchronous, ready and buffered sends. */
#include "honest.h"

GEMM_MPI
{
    int rank, size, got[3] = {0, 0, 0};
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    int bytes = MPI_BSEND_OVERHEAD + 64;
    void *buffer = malloc(bytes);
    MPI_Buffer_attach(buffer, bytes);
    MPI_Request r;
    int from = (rank + size - 1) % size, to = (rank + 1) % size;
    MPI_Irecv(&got[0], 1, MPI_INT, from, 7, comm, &r);
    MPI_Barrier(comm);
    MPI_Rsend(&rank, 1, MPI_INT, to, 7, comm);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    MPI_Bsend(&rank, 1, MPI_INT, to, 8, comm);
    MPI_Recv(&got[1], 1, MPI_INT, from, 8, comm, MPI_STATUS_IGNORE);
    MPI_Irecv(&got[2], 1, MPI_INT, from, 9, comm, &r);
    MPI_Ssend(&rank, 1, MPI_INT, to, 9, comm);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    MPI_Buffer_detach(&buffer, &bytes);
    free(buffer);
    if (got[0] != from || got[1] != from || got[2] != from)
        MPI_Abort(comm, 1);
    share_all(M, N, K, A, B, C, comm);
}
