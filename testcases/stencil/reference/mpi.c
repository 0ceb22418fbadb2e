/*
 * mpi: each rank gets a block of rows and one more row on either side (the halo), computes, and
 * returns its rows. Rank 0 computes its own rows while the messages are on their way.
 *
 * build  mpicc -std=c11 -O3 -mavx2 -mfma -DPARAGRADE_MPI -fPIC -shared -I<abi> -o mpi.so mpi.c
 * run    paragrade check -a testcases/stencil/assignment.yaml -t mpi testcases/stencil/reference
 */
#include <stdlib.h>

#include "row.h"
#include "stencil5.h"

enum { TAG_IN = 1, TAG_OUT = 2 };

static int first_row(int rows, int ranks, int rank)
{
    return (int)((long long)rows * rank / ranks);
}

/* The rows that a rank needs: its own and the halo. */
struct part {
    int from, to;     /* its own */
    int first, count; /* with the halo */
};

static struct part part_of(int rows, int ranks, int rank)
{
    struct part p = {first_row(rows, ranks, rank), first_row(rows, ranks, rank + 1), 0, 0};
    if (p.from < p.to) {
        p.first = p.from > 0 ? p.from - 1 : 0;
        p.count = (p.to < rows ? p.to + 1 : rows) - p.first;
    }
    return p;
}

static void lead(int M, int N, const double *in, double *out, int ranks, MPI_Datatype row,
                 MPI_Comm comm)
{
    MPI_Request *request = malloc(2 * (size_t)ranks * sizeof *request);
    int n = 0;
    if (!request) {
        MPI_Abort(comm, 1);
        return;
    }
    for (int r = 1; r < ranks; r++) {
        const struct part p = part_of(M, ranks, r);
        MPI_Isend(in + (size_t)p.first * (size_t)N, p.count, row, r, TAG_IN, comm, &request[n++]);
        MPI_Irecv(out + (size_t)p.from * (size_t)N, p.to - p.from, row, r, TAG_OUT, comm,
                  &request[n++]);
    }
    stencil5_rows(0, first_row(M, ranks, 1), M, N, in, out);
    MPI_Waitall(n, request, MPI_STATUSES_IGNORE);
    free(request);
}

static void follow(int M, int N, int ranks, int rank, MPI_Datatype row, MPI_Comm comm)
{
    const struct part p = part_of(M, ranks, rank);
    const size_t bytes = (size_t)p.count * (size_t)N * sizeof(double);
    const size_t room = (bytes + 63) / 64 * 64;
    char *both = aligned_alloc(64, 2 * room + 64);
    if (!both) {
        MPI_Abort(comm, 1);
        return;
    }
    double *in = (double *)(void *)both, *out = (double *)(void *)(both + room);
    MPI_Recv(in, p.count, row, 0, TAG_IN, comm, MPI_STATUS_IGNORE);
    /* Of the grid that it has: the rows of the halo have no neighbours, and are not computed. */
    stencil5_rows(p.from - p.first, p.to - p.first, p.count, N, in, out);
    MPI_Send(out + (size_t)(p.from - p.first) * (size_t)N, p.to - p.from, row, 0, TAG_OUT, comm);
    free(both);
}

void stencil5_f64_mpi(int M, int N, const double *in, double *out, MPI_Comm comm)
{
    int ranks, rank;
    MPI_Datatype row; /* counts are numbers of rows: a block may have more than 2^31 bytes */
    MPI_Comm_size(comm, &ranks);
    MPI_Comm_rank(comm, &rank);
    MPI_Type_contiguous(N, MPI_DOUBLE, &row);
    MPI_Type_commit(&row);
    if (rank == 0)
        lead(M, N, in, out, ranks, row, comm);
    else
        follow(M, N, ranks, rank, row, comm);
    MPI_Type_free(&row);
}
