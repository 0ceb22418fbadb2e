/* tier: mpi */
/* A window allocated by MPI into which the ranks put their rows under locks; flush. */
#include "honest.h"

GEMM_MPI
{
    struct share s;
    int32_t *all;
    MPI_Win w;
    share_sizes(&s, M, N, K, comm);
    share_A(&s, A, comm);
    share_B(&s, B, comm);
    MPI_Win_allocate(s.rank == 0 ? (MPI_Aint)M * N * sizeof *C : 0, sizeof *C, MPI_INFO_NULL, comm,
                     &all, &w);
    share_compute(&s);
    MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, w);
    MPI_Put(s.C, (s.to - s.from) * N, MPI_INT32_T, 0, (MPI_Aint)s.from * N, (s.to - s.from) * N,
            MPI_INT32_T, w);
    MPI_Win_flush(0, w);
    MPI_Win_unlock(0, w);
    MPI_Barrier(comm);
    if (s.rank == 0) {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, w);
        memcpy(C, all, (size_t)M * N * sizeof *C);
        MPI_Win_unlock(0, w);
    }
    MPI_Win_free(&w);
    share_free(&s);
}
