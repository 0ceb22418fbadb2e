/* mpi.c - each rank joins the trees of its edges; then trees of two ranks are joined, and so on. */
#include "components.h"

#include <stdlib.h>

static int root(int *parent, int i)
{
    while (parent[i] != i)
        i = parent[i] = parent[parent[i]];
    return i;
}

static void join(int *parent, int a, int b)
{
    a = root(parent, a);
    b = root(parent, b);
    parent[a > b ? a : b] = a > b ? b : a;
}

static int start(int n, int rank, int ranks)
{
    return (int)((long long)n * rank / ranks);
}

/* The trees of all ranks come together in rank 0. A vertex and what is above it are an edge. */
static void collect(int n, int rank, int ranks, int *parent, int *other, MPI_Comm comm)
{
    for (int step = 1; step < ranks; step *= 2) {
        if (rank % (2 * step)) {
            MPI_Send(parent, n, MPI_INT, rank - step, 0, comm);
            return;
        }
        if (rank + step >= ranks)
            continue;
        MPI_Recv(other, n, MPI_INT, rank + step, 0, comm, MPI_STATUS_IGNORE);
        for (int i = 0; i < n; i++)
            join(parent, i, other[i]);
    }
}

void components_mpi(int n, int m, const int *from, const int *to, int *label, MPI_Comm comm)
{
    int rank, ranks;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    int *count = malloc(2 * (size_t)ranks * sizeof *count), *at = count + ranks;
    for (int i = 0; i < ranks; i++) {
        at[i] = start(m, i, ranks);
        count[i] = start(m, i + 1, ranks) - at[i];
    }
    const size_t edges = (size_t)count[rank];
    int *ends = malloc((2 * edges + 2 * (size_t)n) * sizeof *ends), *parent = ends + 2 * edges;
    MPI_Scatterv(from, count, at, MPI_INT, ends, count[rank], MPI_INT, 0, comm);
    MPI_Scatterv(to, count, at, MPI_INT, ends + edges, count[rank], MPI_INT, 0, comm);
    for (int i = 0; i < n; i++)
        parent[i] = i;
    for (size_t e = 0; e < edges; e++)
        join(parent, ends[e], ends[edges + e]);
    collect(n, rank, ranks, parent, parent + n, comm);
    for (int i = 0; rank == 0 && i < n; i++)
        label[i] = root(parent, i);
    free(ends);
    free(count);
}
