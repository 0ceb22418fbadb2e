/* mpi: Communicators of its own, made in the first call and kept: a copy, a ring, and one for each
 * half of the ranks with one between the first ranks of both. */
#include "shares.h"

static MPI_Comm ring = MPI_COMM_NULL, half, heads, copy;

static void make(MPI_Comm comm)
{
    int rank, ranks, periodic = 1;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    MPI_Comm_dup(comm, &copy);
    MPI_Cart_create(copy, 1, &ranks, &periodic, 0, &ring);
    MPI_Comm_split(copy, rank < (ranks + 1) / 2, rank, &half);
    int in_half;
    MPI_Comm_rank(half, &in_half);
    MPI_Comm_split(copy, in_half ? MPI_UNDEFINED : 0, rank, &heads);
    MPI_Comm_set_name(ring, "ring");
}

/* Half by half. */
static int64_t sum_of_all(int64_t mine)
{
    int64_t all = 0;
    MPI_Reduce(&mine, &all, 1, MPI_INT64_T, MPI_SUM, 0, half);
    if (heads != MPI_COMM_NULL)
        MPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_INT64_T, MPI_SUM, heads);
    MPI_Bcast(&all, 1, MPI_INT64_T, 0, half);
    return all;
}

int64_t mix_mpi(int n, int m, int32_t k, const int32_t *x, const int32_t *c, const int32_t *w,
                int16_t *y, int32_t *z, int64_t *sum, int32_t *hist, MPI_Comm comm)
{
    int rank, ranks, before, after, told = -1;
    if (ring == MPI_COMM_NULL)
        make(comm);
    MPI_Comm_rank(ring, &rank);
    MPI_Comm_size(ring, &ranks);
    MPI_Cart_shift(ring, 0, 1, &before, &after);
    const int first = first_of(n, rank, ranks), end = first_of(n, rank + 1, ranks);
    MPI_Sendrecv(&end, 1, MPI_INT, after, 3, &told, 1, MPI_INT, before, 3, ring, MPI_STATUS_IGNORE);
    const int from = rank ? told : 0; /* where the rank before ends: this is `first` */
    int64_t mine = 0;
    for (int i = 0; i < end - from; i++) {
        for (int j = 0; j < 3; j++)
            y[3 * i + j] = (int16_t)(x[i] * k + c[(first + i) % m] * j);
        z[i] += from + i;
        mine += x[i];
    }
    for (int j = 0; j < m && hist; j++)
        hist[j] = w[j] + 1;
    return 2 * (*sum = sum_of_all(mine));
}
