/* tier: mpi */
/* Split, dup, create, create_group, compare and free. */
#include "honest.h"

GEMM_MPI
{
    MPI_Comm even, copy, made, grouped;
    MPI_Group all, some;
    int rank, size, result;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    MPI_Comm_dup(comm, &copy);
    MPI_Comm_split(copy, rank % 2, -rank, &even);
    MPI_Comm_group(copy, &all);
    MPI_Group_range_incl(all, 1, (int[][3]){{0, size - 1, 1}}, &some);
    MPI_Comm_create(copy, some, &made);
    MPI_Comm_create_group(copy, some, 5, &grouped);
    MPI_Comm_compare(comm, copy, &result);
    if (result != MPI_CONGRUENT || made == MPI_COMM_NULL)
        MPI_Abort(comm, 1);
    MPI_Comm_set_name(grouped, "grouped");
    MPI_Barrier(even);
    share_all(M, N, K, A, B, C, grouped);
    MPI_Group_free(&all);
    MPI_Group_free(&some);
    MPI_Comm_free(&grouped);
    MPI_Comm_free(&made);
    MPI_Comm_free(&even);
    MPI_Comm_free(&copy);
}
