/* tier: mpi */
/* Two halves of the ranks with an intercommunicator between them. */
#include "honest.h"

GEMM_MPI
{
    int rank, size, remote = 0;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    if (size > 1) {
        MPI_Comm half, between, merged;
        int left = rank < size / 2;
        MPI_Comm_split(comm, left, rank, &half);
        MPI_Intercomm_create(half, 0, comm, left ? size / 2 : 0, 17, &between);
        MPI_Comm_remote_size(between, &remote);
        MPI_Intercomm_merge(between, !left, &merged);
        share_all(M, N, K, A, B, C, merged);
        MPI_Comm_free(&merged);
        MPI_Comm_free(&between);
        MPI_Comm_free(&half);
    } else {
        share_all(M, N, K, A, B, C, comm);
    }
}
