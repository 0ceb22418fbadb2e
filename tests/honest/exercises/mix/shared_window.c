/* mpi: Every rank puts its block into memory that all ranks share, and adds up all blocks by
 * itself. */
#include "shares.h"

int64_t mix_mpi(int n, int m, int32_t k, const int32_t *x, const int32_t *c, const int32_t *w,
                int16_t *y, int32_t *z, int64_t *sum, int32_t *hist, MPI_Comm comm)
{
    int rank, ranks, unit;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    const int first = first_of(n, rank, ranks), rows = first_of(n, rank + 1, ranks) - first;
    MPI_Win win;
    MPI_Aint bytes;
    int32_t *own, *others;
    int64_t total = 0;
    MPI_Win_allocate_shared((MPI_Aint)rows * (MPI_Aint)sizeof *own, sizeof *own, MPI_INFO_NULL,
                            comm, &own, &win);
    MPI_Win_fence(0, win);
    memcpy(own, x, (size_t)rows * sizeof *own);
    MPI_Win_fence(0, win);
    for (int r = 0; r < ranks; r++) {
        MPI_Win_shared_query(win, r, &bytes, &unit, &others);
        for (int i = 0; i < (int)(bytes / (MPI_Aint)sizeof *own); i++)
            total += others[i];
    }
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    for (int i = 0; i < rows; i++) {
        for (int j = 0; j < 3; j++)
            y[3 * i + j] = (int16_t)(x[i] * k + c[(first + i) % m] * j);
        z[i] += first + i;
    }
    for (int j = 0; j < m && hist; j++)
        hist[j] = w[j] + 1;
    return 2 * (*sum = total);
}
