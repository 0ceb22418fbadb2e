/* tier: mpi */
/* Post, start, complete and wait. */
#include "honest.h"

GEMM_MPI
{
    struct share s;
    int32_t *b;
    MPI_Win w;
    MPI_Group all, zero, others;
    share_sizes(&s, M, N, K, comm);
    share_A(&s, A, comm);
    MPI_Win_allocate((MPI_Aint)K * N * sizeof *B, sizeof *B, MPI_INFO_NULL, comm, &b, &w);
    MPI_Comm_group(comm, &all);
    MPI_Group_incl(all, 1, (int[]){0}, &zero);
    MPI_Group_excl(all, 1, (int[]){0}, &others);
    if (s.rank == 0) {
        memcpy(b, B, (size_t)K * N * sizeof *B);
        MPI_Win_start(others, 0, w);
        for (int r = 1; r < s.size; r++)
            MPI_Put(B, K * N, MPI_INT32_T, r, 0, K * N, MPI_INT32_T, w);
        MPI_Win_complete(w);
    } else {
        MPI_Win_post(zero, 0, w);
        MPI_Win_wait(w);
    }
    rows(0, s.to - s.from, N, K, s.A, b, s.C);
    MPI_Group_free(&all);
    MPI_Group_free(&zero);
    MPI_Group_free(&others);
    MPI_Win_free(&w);
    share_C(&s, C, comm);
    share_free(&s);
}
