/* mpi.c - every rank gets all rows, and takes every ranks-th row of the result. */
#include "pairs.h"

#include <stdlib.h>

#include "norm.h"

/* Rows of rank `rank`, one behind the other. */
static long rows_of(int ny, int rank, int ranks)
{
    return rank < ny ? (ny - 1 - rank) / ranks + 1 : 0;
}

static void compute(int ny, int nx, const double *row, int rank, int ranks, double *mine)
{
    for (long i = rank; i < ny; i += ranks, mine += ny)
        for (long j = 0; j < ny; j++) {
            double sum = 0;
            for (long x = 0; x < nx && j <= i; x++)
                sum += row[i * nx + x] * row[j * nx + x];
            mine[j] = sum;
        }
}

void pairs_mpi(int ny, int nx, const double *data, double *result, MPI_Comm comm)
{
    int rank, ranks;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    double *row = malloc((size_t)ny * (size_t)nx * sizeof *row);
    double *mine = calloc((size_t)ny * ((size_t)ny / (size_t)ranks + 1), sizeof *mine);
    for (long i = 0; rank == 0 && i < ny; i++)
        norm(nx, data + i * nx, row + i * nx);
    MPI_Bcast(row, ny * nx, MPI_DOUBLE, 0, comm);
    compute(ny, nx, row, rank, ranks, mine);
    for (int r = 0; r < ranks; r++) {
        const long rows = rows_of(ny, r, ranks);
        if (rank == r && rank > 0)
            MPI_Send(mine, (int)rows * ny, MPI_DOUBLE, 0, 0, comm);
        if (rank == 0 && r > 0)
            MPI_Recv(mine, (int)rows * ny, MPI_DOUBLE, r, 0, comm, MPI_STATUS_IGNORE);
        for (long k = 0; rank == 0 && k < rows; k++)
            for (long j = 0; j < ny; j++)
                result[(r + k * ranks) * ny + j] = mine[k * ny + j];
    }
    free(mine);
    free(row);
}
