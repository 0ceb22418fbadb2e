/* mpi: Ranks with rows form a communicator, which is kept from call to call; partial sums go round
 * in a ring of persistent requests, and results of the others are reduced with an operation of its
 * own.
 */
#include "shares.h"

static MPI_Comm kept = MPI_COMM_NULL;
static int kept_rows = -1;

static void add(void *in, void *inout, int *count, MPI_Datatype *type)
{
    (void)type;
    for (int i = 0; i < *count; i++)
        ((int64_t *)inout)[i] += ((int64_t *)in)[i];
}

int64_t mix_mpi(int n, int m, int32_t k, const int32_t *x, const int32_t *c, const int32_t *w,
                int16_t *y, int32_t *z, int64_t *sum, int32_t *hist, MPI_Comm comm)
{
    int rank, ranks;
    int64_t mine = 0, before = 0, box[2] = {0};
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    const int first = first_of(n, rank, ranks), rows = first_of(n, rank + 1, ranks) - first;
    int changed = kept_rows != n;
    MPI_Allreduce(MPI_IN_PLACE, &changed, 1, MPI_INT, MPI_MAX, comm);
    if (changed) {
        if (kept != MPI_COMM_NULL)
            MPI_Comm_free(&kept);
        MPI_Comm_split(comm, rows > 0 ? 0 : MPI_UNDEFINED, ranks - rank, &kept);
        kept_rows = n;
    }
    for (int i = 0; i < rows; i++) {
        for (int j = 0; j < 3; j++)
            y[3 * i + j] = (int16_t)(x[i] * k + c[(first + i) % m] * j);
        z[i] += first + i;
        mine += x[i];
    }
    if (kept != MPI_COMM_NULL) {
        int place, size;
        MPI_Request r[2];
        MPI_Comm_rank(kept, &place);
        MPI_Comm_size(kept, &size);
        MPI_Send_init(&box[0], 1, MPI_INT64_T, (place + 1) % size, 0, kept, &r[0]);
        MPI_Recv_init(&box[1], 1, MPI_INT64_T, (place + size - 1) % size, 0, kept, &r[1]);
        box[0] = mine;
        for (int step = 1; step < size; step++) {
            MPI_Startall(2, r);
            MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
            before += box[1];
            box[0] = box[1];
        }
        MPI_Request_free(&r[0]);
        MPI_Request_free(&r[1]);
        mine += before;
    }
    /* Ranks without rows learn it, too: each holder gives its share of the whole sum. */
    MPI_Op sum_up;
    int holders = rows > 0, all;
    MPI_Allreduce(&holders, &all, 1, MPI_INT, MPI_SUM, comm);
    MPI_Op_create(add, 1, &sum_up);
    MPI_Allreduce(MPI_IN_PLACE, &mine, 1, MPI_INT64_T, sum_up, comm);
    MPI_Op_free(&sum_up);
    mine /= all;
    for (int j = 0; j < m && hist; j++)
        hist[j] = w[j] + 1;
    return 2 * (*sum = mine);
}
