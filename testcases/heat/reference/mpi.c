/* mpi.c - each rank has some inner rows and the rows beside them, which it gets anew in each step.
 */
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
 * ends, where they stay. */
static void exchange(int w, int rows, double *u, int up, int down, MPI_Comm comm)
{
    MPI_Sendrecv(u + w, w, MPI_DOUBLE, up, 0, u + (long)(rows + 1) * w, w, MPI_DOUBLE, down, 0,
                 comm, MPI_STATUS_IGNORE);
    MPI_Sendrecv(u + (long)rows * w, w, MPI_DOUBLE, down, 1, u, w, MPI_DOUBLE, up, 1, comm,
                 MPI_STATUS_IGNORE);
}

static void compute(int w, int rows, int steps, double *u, int up, int down, MPI_Comm comm)
{
    const size_t bytes = (size_t)(rows + 2) * (size_t)w * sizeof *u;
    double *other = malloc(bytes);
    memcpy(other, u, bytes);
    for (int s = 0; s < steps; s++) {
        double *from = s % 2 ? other : u, *to = s % 2 ? u : other;
        if (s)
            exchange(w, rows, from, up, down, comm);
        for (long y = 1; y <= rows; y++)
            row(w, from + (y - 1) * w, from + y * w, from + (y + 1) * w, to + y * w);
    }
    if (steps % 2)
        memcpy(u, other, bytes);
    free(other);
}

void heat_mpi(int h, int w, int steps, double *u, MPI_Comm comm)
{
    int rank, ranks;
    const int inner = h - 2;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    if (inner < 1)
        return;
    ranks = ranks < inner ? ranks : inner; /* others have nothing to do */
    MPI_Comm some;
    MPI_Comm_split(comm, rank < ranks ? 0 : MPI_UNDEFINED, rank, &some);
    if (rank >= ranks)
        return;
    int *count = malloc(4 * (size_t)ranks * sizeof *count), *at = count + ranks;
    int *to = at + ranks, *result = to + ranks;
    for (int i = 0; i < ranks; i++) {
        const int first = start(inner, i, ranks), rows = start(inner, i + 1, ranks) - first;
        at[i] = first * w;
        count[i] = (rows + 2) * w;
        to[i] = (first + 1) * w;
        result[i] = rows * w;
    }
    double *mine = malloc((size_t)count[rank] * sizeof *mine);
    MPI_Scatterv(u, count, at, MPI_DOUBLE, mine, count[rank], MPI_DOUBLE, 0, some);
    compute(w, result[rank] / w, steps, mine, rank ? rank - 1 : MPI_PROC_NULL,
            rank + 1 < ranks ? rank + 1 : MPI_PROC_NULL, some);
    MPI_Gatherv(mine + w, result[rank], MPI_DOUBLE, u, result, to, MPI_DOUBLE, 0, some);
    MPI_Comm_free(&some);
    free(mine);
    free(count);
}
