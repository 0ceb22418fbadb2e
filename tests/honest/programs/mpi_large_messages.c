/* tier: mpi */
/* Messages of 8 MB between the ranks in the first call, both ways at once. */
#include "honest.h"

GEMM_MPI
{
    static int done;
    int rank, size, n = 2 << 20;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    if (!done++) {
        int32_t *out = malloc(n * sizeof *out), *in = malloc(n * sizeof *in);
        for (int i = 0; i < n; i++)
            out[i] = i ^ rank;
        MPI_Sendrecv(out, n, MPI_INT32_T, (rank + 1) % size, 1, in, n, MPI_INT32_T,
                     (rank + size - 1) % size, 1, comm, MPI_STATUS_IGNORE);
        if (in[n - 1] != ((n - 1) ^ ((rank + size - 1) % size)))
            MPI_Abort(comm, 1);
        free(out);
        free(in);
    }
    share_all(M, N, K, A, B, C, comm);
}
