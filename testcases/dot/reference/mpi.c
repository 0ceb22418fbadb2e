/* mpi.c - each rank gets its part of both vectors, and the sums are added at rank 0. */
#include "dot.h"

#include <stdlib.h>

static int start(int n, int rank, int ranks)
{
    return (int)((long long)n * rank / ranks);
}

double dot_f64_mpi(int n, const double *x, const double *y, MPI_Comm comm)
{
    int rank, ranks;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    const int first = start(n, rank, ranks), mine = start(n, rank + 1, ranks) - first;
    int *count = malloc((size_t)ranks * sizeof *count), *at = malloc((size_t)ranks * sizeof *at);
    double *a = malloc(((size_t)mine + 1) * sizeof *a), *b = malloc(((size_t)mine + 1) * sizeof *b);
    double sum = 0, all = 0;
    for (int r = 0; r < ranks; r++) {
        at[r] = start(n, r, ranks);
        count[r] = start(n, r + 1, ranks) - at[r];
    }
    MPI_Scatterv(x, count, at, MPI_DOUBLE, a, mine, MPI_DOUBLE, 0, comm);
    MPI_Scatterv(y, count, at, MPI_DOUBLE, b, mine, MPI_DOUBLE, 0, comm);
    for (int i = 0; i < mine; i++)
        sum += a[i] * b[i];
    MPI_Reduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, 0, comm);
    free(b);
    free(a);
    free(at);
    free(count);
    return all;
}
