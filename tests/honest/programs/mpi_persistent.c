/* tier: mpi */
/* Persistent requests, started and completed several times, then freed. */
#include "honest.h"

GEMM_MPI
{
    struct share s;
    share_sizes(&s, M, N, K, comm);
    share_A(&s, A, comm);
    int32_t *row = malloc(N * sizeof *row);
    MPI_Request *r = malloc(s.size * sizeof *r);
    int n = 0;
    if (s.rank == 0)
        for (int to = 1; to < s.size; to++)
            MPI_Send_init(row, N, MPI_INT32_T, to, 5, comm, &r[n++]);
    else
        MPI_Recv_init(row, N, MPI_INT32_T, 0, 5, comm, &r[n++]);
    for (int k = 0; k < K; k++) {
        if (s.rank == 0)
            memcpy(row, B + (size_t)k * N, N * sizeof *row);
        MPI_Startall(n, r);
        MPI_Waitall(n, r, MPI_STATUSES_IGNORE);
        memcpy(s.B + (size_t)k * N, row, N * sizeof *row);
    }
    while (n > 0)
        MPI_Request_free(&r[--n]);
    share_compute(&s);
    share_C(&s, C, comm);
    share_free(&s);
    free(row);
    free(r);
}
