/* tier: mpi */
/* A dynamic window with attached memory, whose address is sent round. */
#include "honest.h"

GEMM_MPI
{
    struct share s;
    MPI_Win w;
    MPI_Aint where = 0;
    share_sizes(&s, M, N, K, comm);
    share_A(&s, A, comm);
    MPI_Win_create_dynamic(MPI_INFO_NULL, comm, &w);
    int32_t *copy = malloc((size_t)K * N * sizeof *copy);
    if (s.rank == 0) {
        memcpy(s.B, B, (size_t)K * N * sizeof *B);
        MPI_Win_attach(w, s.B, (MPI_Aint)K * N * sizeof *B);
        MPI_Get_address(s.B, &where);
    }
    MPI_Bcast(&where, 1, MPI_AINT, 0, comm);
    MPI_Win_fence(0, w);
    MPI_Get(copy, K * N, MPI_INT32_T, 0, where, K * N, MPI_INT32_T, w);
    MPI_Win_fence(0, w);
    rows(0, s.to - s.from, N, K, s.A, copy, s.C);
    if (s.rank == 0)
        MPI_Win_detach(w, s.B);
    MPI_Win_free(&w);
    share_C(&s, C, comm);
    share_free(&s);
    free(copy);
}
