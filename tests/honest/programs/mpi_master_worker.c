/* tier: mpi */
/* Rank 0 hands out rows and computes none, as far as there are others. */
#include "honest.h"

GEMM_MPI
{
    int rank, size, ask = -1, end = -1;
    MPI_Status status;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    int32_t *b = malloc((size_t)K * N * sizeof *b), *a = malloc(K * sizeof *a),
            *c = malloc(N * sizeof *c);
    if (rank == 0)
        memcpy(b, B, (size_t)K * N * sizeof *b);
    MPI_Bcast(b, K * N, MPI_INT32_T, 0, comm);
    if (size == 1) {
        rows(0, M, N, K, A, b, C);
    } else if (rank == 0) {
        for (int next = 0, left = size - 1; left > 0;) {
            MPI_Recv(&ask, 1, MPI_INT, MPI_ANY_SOURCE, 1, comm, &status);
            int r = status.MPI_SOURCE;
            if (ask >= 0)
                MPI_Recv(C + (size_t)ask * N, N, MPI_INT32_T, r, 2, comm, MPI_STATUS_IGNORE);
            MPI_Send(next < M ? &next : &end, 1, MPI_INT, r, 3, comm);
            if (next < M)
                MPI_Send(A + (size_t)next++ * K, K, MPI_INT32_T, r, 4, comm);
            else
                left--;
        }
    } else {
        for (;;) {
            MPI_Send(&ask, 1, MPI_INT, 0, 1, comm);
            if (ask >= 0)
                MPI_Send(c, N, MPI_INT32_T, 0, 2, comm);
            MPI_Recv(&ask, 1, MPI_INT, 0, 3, comm, MPI_STATUS_IGNORE);
            if (ask < 0)
                break;
            MPI_Recv(a, K, MPI_INT32_T, 0, 4, comm, MPI_STATUS_IGNORE);
            rows(0, 1, N, K, a, b, c);
        }
    }
    free(a);
    free(b);
    free(c);
}
