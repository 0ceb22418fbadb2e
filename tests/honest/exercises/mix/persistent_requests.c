/* mpi: Persistent requests, made in the first call and started in each: every rank sends its sum to
 * rank 0, which sends back that of all. */
#include "shares.h"

enum { RANKS_MOST = 64 };

static int64_t part[RANKS_MOST], mine, all;
static MPI_Request up[RANKS_MOST], down[RANKS_MOST];
static int ups = -1, downs;

static void make(int rank, int ranks, MPI_Comm comm)
{
    ups = 0;
    for (int r = 1; r < ranks && rank == 0; r++) {
        MPI_Recv_init(&part[r], 1, MPI_INT64_T, r, 1, comm, &up[ups++]);
        MPI_Send_init(&all, 1, MPI_INT64_T, r, 2, comm, &down[downs++]);
    }
    if (rank != 0) {
        MPI_Send_init(&mine, 1, MPI_INT64_T, 0, 1, comm, &up[ups++]);
        MPI_Recv_init(&all, 1, MPI_INT64_T, 0, 2, comm, &down[downs++]);
    }
}

int64_t mix_mpi(int n, int m, int32_t k, const int32_t *x, const int32_t *c, const int32_t *w,
                int16_t *y, int32_t *z, int64_t *sum, int32_t *hist, MPI_Comm comm)
{
    int rank, ranks;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    if (ups < 0)
        make(rank, ranks, comm);
    const int first = first_of(n, rank, ranks), rows = first_of(n, rank + 1, ranks) - first;
    mine = 0;
    for (int i = 0; i < rows; i++)
        mine += x[i];
    MPI_Startall(ups, up);
    if (rank != 0)
        MPI_Startall(downs, down); /* the answer comes while it computes */
    for (int i = 0; i < rows; i++) {
        for (int j = 0; j < 3; j++)
            y[3 * i + j] = (int16_t)(x[i] * k + c[(first + i) % m] * j);
        z[i] += first + i;
    }
    for (int j = 0; j < m && hist; j++)
        hist[j] = w[j] + 1;
    MPI_Waitall(ups, up, MPI_STATUSES_IGNORE);
    if (rank == 0) {
        all = mine;
        for (int r = 1; r < ranks; r++)
            all += part[r];
        MPI_Startall(downs, down);
    }
    MPI_Waitall(downs, down, MPI_STATUSES_IGNORE);
    return 2 * (*sum = all);
}
