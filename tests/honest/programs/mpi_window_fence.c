/* tier: mpi */
/* A window over B from which all ranks get, between fences. */
#include "honest.h"

GEMM_MPI
{
    struct share s;
    MPI_Win w;
    share_sizes(&s, M, N, K, comm);
    share_A(&s, A, comm);
    if (s.rank == 0)
        memcpy(s.B, B, (size_t)K * N * sizeof *B);
    MPI_Win_create(s.B, s.rank == 0 ? (MPI_Aint)K * N * sizeof *B : 0, sizeof *B, MPI_INFO_NULL,
                   comm, &w);
    MPI_Win_fence(MPI_MODE_NOPRECEDE, w);
    int32_t *copy = malloc((size_t)K * N * sizeof *copy);
    MPI_Get(copy, K * N, MPI_INT32_T, 0, 0, K * N, MPI_INT32_T, w);
    MPI_Win_fence(MPI_MODE_NOSUCCEED, w);
    rows(0, s.to - s.from, N, K, s.A, copy, s.C);
    MPI_Win_free(&w);
    share_C(&s, C, comm);
    share_free(&s);
    free(copy);
}
