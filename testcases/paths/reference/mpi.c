/* mpi.c - each rank has some rows; row k comes from the rank that has it. */
#include "paths.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* The length of no path: two of them can be added. */
enum { NONE = INT_MAX / 2 };

static int32_t at_first(int n, long p, int32_t length)
{
    return p / n == p % n ? 0 : length ? length : NONE;
}

/* Paths over vertex k, whose row is `over`, for the row of one vertex. */
static void relax(int n, int k, const int32_t *over, int32_t *row)
{
    const int32_t there = row[k];
    if (there == NONE)
        return;
    for (int j = 0; j < n; j++)
        row[j] = there + over[j] < row[j] ? there + over[j] : row[j];
}

static int start(int n, int rank, int ranks)
{
    return (int)((long long)n * rank / ranks);
}

static int owner(int n, int k, int ranks)
{
    int rank = 0;
    while (start(n, rank + 1, ranks) <= k)
        rank++;
    return rank;
}

void paths_mpi(int n, const int32_t *length, int32_t *dist, MPI_Comm comm)
{
    int rank, ranks;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    int *count = malloc(2 * (size_t)ranks * sizeof *count), *at = count + ranks;
    for (int i = 0; i < ranks; i++) {
        at[i] = start(n, i, ranks) * n;
        count[i] = start(n, i + 1, ranks) * n - at[i];
    }
    const int first = at[rank] / n, rows = count[rank] / n;
    int32_t *mine = malloc(((size_t)count[rank] + (size_t)n) * sizeof *mine);
    int32_t *over = mine + count[rank];
    MPI_Scatterv(length, count, at, MPI_INT32_T, mine, count[rank], MPI_INT32_T, 0, comm);
    for (long p = 0; p < count[rank]; p++)
        mine[p] = at_first(n, at[rank] + p, mine[p]);
    for (int k = 0; k < n; k++) {
        if (k >= first && k < first + rows)
            memcpy(over, mine + (long)(k - first) * n, (size_t)n * sizeof *over);
        MPI_Bcast(over, n, MPI_INT32_T, owner(n, k, ranks), comm);
        for (int i = 0; i < rows; i++)
            relax(n, k, over, mine + (long)i * n);
    }
    for (long p = 0; p < count[rank]; p++)
        mine[p] = mine[p] == NONE ? -1 : mine[p];
    MPI_Gatherv(mine, count[rank], MPI_INT32_T, dist, count, at, MPI_INT32_T, 0, comm);
    free(mine);
    free(count);
}
