/* tier: mpi */
/* Everybody to everybody: Alltoall, Alltoallv, Alltoallw, Reduce_scatter, Scan and Exscan. */
#include "honest.h"

GEMM_MPI
{
    int rank, size, before = 0, upto, part_sum;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    int *out = calloc(6 * size, sizeof *out), *in = out + size, *one = in + size, *at = one + size;
    int *bytes = at + size, *ones = bytes + size;
    MPI_Datatype *types = malloc(size * sizeof *types);
    for (int r = 0; r < size; r++) {
        out[r] = rank * size + r;
        one[r] = ones[r] = 1;
        at[r] = r;
        bytes[r] = r * (int)sizeof *out;
        types[r] = MPI_INT;
    }
    MPI_Alltoall(out, 1, MPI_INT, in, 1, MPI_INT, comm);
    MPI_Alltoallv(out, one, at, MPI_INT, in, one, at, MPI_INT, comm);
    MPI_Alltoallw(out, one, bytes, types, in, one, bytes, types, comm);
    for (int r = 0; r < size; r++)
        if (in[r] != r * size + rank)
            MPI_Abort(comm, 1);
    MPI_Reduce_scatter(ones, &part_sum, one, MPI_INT, MPI_SUM, comm);
    MPI_Reduce_scatter_block(ones, &part_sum, 1, MPI_INT, MPI_SUM, comm);
    MPI_Scan(one, &upto, 1, MPI_INT, MPI_SUM, comm);
    MPI_Exscan(one, &before, 1, MPI_INT, MPI_SUM, comm);
    if (part_sum != size || upto != rank + 1 || (rank > 0 && before != rank))
        MPI_Abort(comm, 1);
    free(out);
    free(types);
    share_all(M, N, K, A, B, C, comm);
}
