/* mpi: One-sided: a window on memory of its own that is made in the first call, locked by all for
 * good, and flushed. Operands are sent from a derived type that is kept, too. */
#include "shares.h"

enum { RANKS_MOST = 64 };

static MPI_Win window = MPI_WIN_NULL;
static int64_t *cell;
static MPI_Datatype rows_of_three;

static void make(MPI_Comm comm)
{
    MPI_Win_allocate(RANKS_MOST * sizeof *cell, sizeof *cell, MPI_INFO_NULL, comm, &cell, &window);
    MPI_Win_lock_all(MPI_MODE_NOCHECK, window);
    MPI_Type_contiguous(3, MPI_INT16_T, &rows_of_three);
    MPI_Type_commit(&rows_of_three);
}

int64_t mix_mpi(int n, int m, int32_t k, const int32_t *x, const int32_t *c, const int32_t *w,
                int16_t *y, int32_t *z, int64_t *sum, int32_t *hist, MPI_Comm comm)
{
    int rank, ranks;
    int64_t mine = 0, all = 0;
    if (window == MPI_WIN_NULL)
        make(comm);
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    const int first = first_of(n, rank, ranks), rows = first_of(n, rank + 1, ranks) - first;
    int16_t *made = malloc(3 * (size_t)(rows + 1) * sizeof *made);
    for (int i = 0; i < rows; i++) {
        for (int j = 0; j < 3; j++)
            made[3 * i + j] = (int16_t)(x[i] * k + c[(first + i) % m] * j);
        z[i] += first + i;
        mine += x[i];
    }
    MPI_Sendrecv(made, rows, rows_of_three, rank, 5, y, rows, rows_of_three, rank, 5, comm,
                 MPI_STATUS_IGNORE);
    free(made);
    for (int r = 0; r < ranks; r++)
        MPI_Put(&mine, 1, MPI_INT64_T, r, rank, 1, MPI_INT64_T, window);
    MPI_Win_flush_all(window);
    MPI_Barrier(comm);
    MPI_Win_sync(window);
    for (int r = 0; r < ranks; r++)
        all += cell[r];
    MPI_Barrier(comm); /* before the next call writes there */
    for (int j = 0; j < m && hist; j++)
        hist[j] = w[j] + 1;
    return 2 * (*sum = all);
}
