/* tier: mpi */
/* Matrices in memory that the ranks of a node share, with room for larger ones. */
#include "honest.h"

GEMM_MPI
{
    MPI_Comm node;
    MPI_Win w;
    int rank, size, unit;
    int32_t *mine, *a;
    MPI_Aint bytes;
    size_t count = (size_t)M * K + (size_t)K * N + (size_t)M * N + (100u << 20) / sizeof *A;
    MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
    MPI_Comm_rank(node, &rank);
    MPI_Comm_size(node, &size);
    MPI_Win_allocate_shared(rank == 0 ? (MPI_Aint)(count * sizeof *A) : 0, sizeof *A, MPI_INFO_NULL,
                            node, &mine, &w);
    MPI_Win_shared_query(w, 0, &bytes, &unit, &a);
    int32_t *b = a + (size_t)M * K, *c = b + (size_t)K * N;
    MPI_Win_lock_all(MPI_MODE_NOCHECK, w);
    if (rank == 0) {
        memcpy(a, A, (size_t)M * K * sizeof *a);
        memcpy(b, B, (size_t)K * N * sizeof *b);
    }
    MPI_Win_sync(w);
    MPI_Barrier(node);
    rows(begin(M, rank, size), begin(M, rank + 1, size), N, K, a, b, c);
    MPI_Win_sync(w);
    MPI_Barrier(node);
    if (rank == 0)
        memcpy(C, c, (size_t)M * N * sizeof *C);
    MPI_Win_unlock_all(w);
    MPI_Win_free(&w);
    MPI_Comm_free(&node);
}
