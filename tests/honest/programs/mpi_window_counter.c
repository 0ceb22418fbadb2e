/* tier: mpi */
/* Rows handed out by Fetch_and_op, added up by Accumulate, compared and swapped. */
#include "honest.h"

GEMM_MPI
{
    int rank, size, one = 1, zero = 0, *next, row = 0, old;
    MPI_Win w, sums;
    int32_t *b = malloc((size_t)K * N * sizeof *b), *a = malloc((size_t)M * K * sizeof *a), *c;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    if (rank == 0) {
        memcpy(a, A, (size_t)M * K * sizeof *a);
        memcpy(b, B, (size_t)K * N * sizeof *b);
    }
    MPI_Bcast(a, M * K, MPI_INT32_T, 0, comm);
    MPI_Bcast(b, K * N, MPI_INT32_T, 0, comm);
    MPI_Win_allocate(2 * sizeof *next, sizeof *next, MPI_INFO_NULL, comm, &next, &w);
    MPI_Win_allocate(rank == 0 ? (MPI_Aint)M * N * sizeof *c : 0, sizeof *c, MPI_INFO_NULL, comm,
                     &c, &sums);
    next[0] = next[1] = 0;
    if (rank == 0)
        memset(c, 0, (size_t)M * N * sizeof *c);
    MPI_Barrier(comm);
    int32_t *line = malloc(N * sizeof *line);
    MPI_Win_lock_all(0, w);
    MPI_Win_lock_all(0, sums);
    MPI_Compare_and_swap(&one, &zero, &old, MPI_INT, 0, 1, w);
    for (;;) {
        MPI_Fetch_and_op(&one, &row, MPI_INT, 0, 0, MPI_SUM, w);
        MPI_Win_flush(0, w);
        if (row >= M)
            break;
        rows(0, 1, N, K, a + (size_t)row * K, b, line);
        MPI_Accumulate(line, N, MPI_INT32_T, 0, (MPI_Aint)row * N, N, MPI_INT32_T, MPI_SUM, sums);
        MPI_Win_flush(0, sums);
    }
    MPI_Win_unlock_all(sums);
    MPI_Win_unlock_all(w);
    MPI_Barrier(comm);
    if (rank == 0)
        memcpy(C, c, (size_t)M * N * sizeof *C);
    MPI_Win_free(&sums);
    MPI_Win_free(&w);
    free(line);
    free(a);
    free(b);
}
