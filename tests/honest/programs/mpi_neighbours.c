/* tier: mpi */
/* A graph of neighbours and collectives among them. */
#include "honest.h"

GEMM_MPI
{
    MPI_Comm ring;
    int rank, size, got[2], sent[2];
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    int near[2] = {(rank + 1) % size, (rank + size - 1) % size};
    MPI_Dist_graph_create_adjacent(comm, 2, near, MPI_UNWEIGHTED, 2, near, MPI_UNWEIGHTED,
                                   MPI_INFO_NULL, 0, &ring);
    sent[0] = sent[1] = rank;
    MPI_Neighbor_alltoall(sent, 1, MPI_INT, got, 1, MPI_INT, ring);
    MPI_Neighbor_allgather(&rank, 1, MPI_INT, got, 1, MPI_INT, ring);
    if (got[0] != near[0] || got[1] != near[1])
        MPI_Abort(comm, 1);
    share_all(M, N, K, A, B, C, ring);
    MPI_Comm_free(&ring);
}
