/* mpi: Rank 0 collects all blocks, computes everything, and deals out the results. */
#include "shares.h"

int64_t mix_mpi(int n, int m, int32_t k, const int32_t *x, const int32_t *c, const int32_t *w,
                int16_t *y, int32_t *z, int64_t *sum, int32_t *hist, MPI_Comm comm)
{
    int rank, ranks;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    const int rows = first_of(n, rank + 1, ranks) - first_of(n, rank, ranks);
    int *one = shares(n, ranks, 1), *three = shares(n, ranks, 3);
    const size_t room = rank ? 1 : (size_t)n;
    int32_t *all_x = malloc(room * sizeof *all_x), *all_z = malloc(room * sizeof *all_z);
    int16_t *all_y = malloc(3 * room * sizeof *all_y);
    MPI_Gatherv(x, rows, MPI_INT32_T, all_x, one, one + ranks, MPI_INT32_T, 0, comm);
    MPI_Gatherv(z, rows, MPI_INT32_T, all_z, one, one + ranks, MPI_INT32_T, 0, comm);
    int64_t total = 0;
    for (int i = 0; i < n && rank == 0; i++) {
        for (int j = 0; j < 3; j++)
            all_y[3 * i + j] = (int16_t)(all_x[i] * k + c[i % m] * j);
        all_z[i] += i;
        total += all_x[i];
    }
    for (int j = 0; j < m && rank == 0; j++)
        hist[j] = w[j] + 1;
    MPI_Scatterv(all_y, three, three + ranks, MPI_INT16_T, y, 3 * rows, MPI_INT16_T, 0, comm);
    MPI_Scatterv(all_z, one, one + ranks, MPI_INT32_T, z, rows, MPI_INT32_T, 0, comm);
    MPI_Bcast(&total, 1, MPI_INT64_T, 0, comm);
    *sum = total;
    free(one);
    free(three);
    free(all_x);
    free(all_y);
    free(all_z);
    return 2 * total;
}
