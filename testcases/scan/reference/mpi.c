/* mpi.c - each rank scans its part, and MPI_Exscan tells it what comes before. */
#include "scan.h"

#include <stdlib.h>

static int start(int n, int rank, int ranks)
{
    return (int)((long long)n * rank / ranks);
}

void scan_f64_mpi(int n, const double *x, double *y, MPI_Comm comm)
{
    int rank, ranks;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    const int mine = start(n, rank + 1, ranks) - start(n, rank, ranks);
    int *count = malloc((size_t)ranks * sizeof *count), *at = malloc((size_t)ranks * sizeof *at);
    double *part = malloc(((size_t)mine + 1) * sizeof *part);
    double sum = 0, before = 0;
    for (int r = 0; r < ranks; r++) {
        at[r] = start(n, r, ranks);
        count[r] = start(n, r + 1, ranks) - at[r];
    }
    MPI_Scatterv(x, count, at, MPI_DOUBLE, part, mine, MPI_DOUBLE, 0, comm);
    for (int i = 0; i < mine; i++)
        part[i] = sum += part[i];
    MPI_Exscan(&sum, &before, 1, MPI_DOUBLE, MPI_SUM, comm);
    for (int i = 0; i < mine && rank > 0; i++)
        part[i] += before;
    MPI_Gatherv(part, mine, MPI_DOUBLE, y, count, at, MPI_DOUBLE, 0, comm);
    free(part);
    free(at);
    free(count);
}
