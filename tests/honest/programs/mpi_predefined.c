/* tier: mpi */
/* Predefined operations and types: minimum, logical and, location, bytes, doubles. */
#include "honest.h"

GEMM_MPI
{
    int rank, size, least_rank, all, bits, one = 1;
    struct {
        double value;
        int at;
    } mine = {0, 0}, most;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    MPI_Allreduce(&rank, &least_rank, 1, MPI_INT, MPI_MIN, comm);
    MPI_Allreduce(&one, &all, 1, MPI_INT, MPI_LAND, comm);
    MPI_Allreduce(&one, &bits, 1, MPI_INT, MPI_BOR, comm);
    mine.value = mine.at = rank;
    MPI_Allreduce(&mine, &most, 1, MPI_DOUBLE_INT, MPI_MAXLOC, comm);
    long long sum = rank, total;
    MPI_Reduce(&sum, &total, 1, MPI_LONG_LONG, MPI_SUM, 0, comm);
    if (least_rank != 0 || !all || bits != 1 || most.at != size - 1)
        MPI_Abort(comm, 1);
    share_all(M, N, K, A, B, C, comm);
}
