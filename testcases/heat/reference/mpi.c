/* mpi.c - each rank has its rows of u and needs the rows beside them, anew in each step. */
#include "heat.h"

#include <stdlib.h>
#include <string.h>

static void row(int w, const double *restrict above, const double *restrict here,
                const double *restrict below, double *restrict to)
{
    for (int x = 1; x < w - 1; x++)
        to[x] = (above[x] + below[x] + here[x - 1] + here[x + 1]) * 0.25;
}

static int start(int n, int rank, int ranks)
{
    return (int)((long long)n * rank / ranks);
}

/* Rows 0 and rows + 1 of u come from the ranks beside this one; `up`, `down`: MPI_PROC_NULL at the
 * ends, where nobody reads them. */
static void exchange(int w, int rows, double *u, int up, int down, MPI_Comm comm)
{
    MPI_Sendrecv(u + w, w, MPI_DOUBLE, up, 0, u + (long)(rows + 1) * w, w, MPI_DOUBLE, down, 0,
                 comm, MPI_STATUS_IGNORE);
    MPI_Sendrecv(u + (long)rows * w, w, MPI_DOUBLE, down, 1, u, w, MPI_DOUBLE, up, 1, comm,
                 MPI_STATUS_IGNORE);
}

void heat_mpi(int h, int w, int steps, double *u, MPI_Comm comm)
{
    int rank, ranks;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    const int first = start(h, rank, ranks), rows = start(h, rank + 1, ranks) - first;
    MPI_Comm some; /* those that have rows */
    MPI_Comm_split(comm, rows ? 0 : MPI_UNDEFINED, rank, &some);
    if (!rows)
        return;
    MPI_Comm_rank(some, &rank);
    MPI_Comm_size(some, &ranks);
    const int up = rank ? rank - 1 : MPI_PROC_NULL,
              down = rank + 1 < ranks ? rank + 1 : MPI_PROC_NULL;
    const size_t bytes = (size_t)rows * (size_t)w * sizeof *u;
    double *from = malloc(bytes + 2 * (size_t)w * sizeof *u),
           *to = malloc(bytes + 2 * (size_t)w * sizeof *u);
    memcpy(from + w, u, bytes);
    memcpy(to + w, u, bytes); /* the border stays */
    for (int s = 0; s < steps; s++) {
        exchange(w, rows, from, up, down, some);
        for (long y = 1; y <= rows; y++)
            if (first + y - 1 > 0 && first + y < h)
                row(w, from + (y - 1) * w, from + y * w, from + (y + 1) * w, to + y * w);
        double *other = from;
        from = to;
        to = other;
    }
    memcpy(u, from + w, bytes);
    MPI_Comm_free(&some);
    free(to);
    free(from);
}
