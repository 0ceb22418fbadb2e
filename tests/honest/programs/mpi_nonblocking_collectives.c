/* tier: mpi */
/* Ibcast, Iallreduce, Ibarrier, Iscatterv and Igatherv. */
#include "honest.h"

GEMM_MPI
{
    struct share s;
    share_sizes(&s, M, N, K, comm);
    int *count = malloc(4 * s.size * sizeof *count), *at = count + s.size, *out = at + s.size,
        *place = out + s.size, flag = 0, one = 1, sum;
    for (int r = 0; r < s.size; r++) {
        at[r] = begin(M, r, s.size) * K;
        count[r] = begin(M, r + 1, s.size) * K - at[r];
        place[r] = begin(M, r, s.size) * N;
        out[r] = begin(M, r + 1, s.size) * N - place[r];
    }
    MPI_Request r[3];
    if (s.rank == 0)
        memcpy(s.B, B, (size_t)K * N * sizeof *B);
    MPI_Ibcast(s.B, K * N, MPI_INT32_T, 0, comm, &r[0]);
    MPI_Iscatterv(A, count, at, MPI_INT32_T, s.A, count[s.rank], MPI_INT32_T, 0, comm, &r[1]);
    MPI_Iallreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm, &r[2]);
    MPI_Waitall(3, r, MPI_STATUSES_IGNORE);
    share_compute(&s);
    MPI_Igatherv(s.C, out[s.rank], MPI_INT32_T, C, out, place, MPI_INT32_T, 0, comm, &r[0]);
    MPI_Wait(&r[0], MPI_STATUS_IGNORE);
    MPI_Ibarrier(comm, &r[0]);
    while (!flag)
        MPI_Test(&r[0], &flag, MPI_STATUS_IGNORE);
    share_free(&s);
    free(count);
}
