/* mpi.c - every rank gets all positions and masses, and computes the sums of its bodies. */
#include "nbody.h"

#include <math.h>
#include <stdlib.h>

static int start(int n, int rank, int ranks)
{
    return (int)((long long)n * rank / ranks);
}

static void sum(int n, int i, const double *m, double *const p[3], double *const a[3])
{
    double s[3] = {0};
    for (int j = 0; j < n; j++) {
        double d[3], r = 0.0001;
        for (int k = 0; k < 3; k++) {
            d[k] = p[k][j] - p[k][i];
            r += d[k] * d[k];
        }
        const double f = m[j] / (r * sqrt(r));
        for (int k = 0; k < 3; k++)
            s[k] += f * d[k];
    }
    for (int k = 0; k < 3; k++)
        a[k][i] = s[k];
}

void nbody_mpi(int n, double dt, const double *m, double *x, double *y, double *z, double *u,
               double *v, double *w, MPI_Comm comm)
{
    int rank, ranks;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    double *room = calloc(7 * (size_t)n, sizeof *room), *mass = room + 6 * (size_t)n;
    double *const given[] = {x, y, z}, *const speed[] = {u, v, w};
    double *const p[] = {room, room + n, room + 2 * (size_t)n};
    double *const a[] = {room + 3 * (size_t)n, room + 4 * (size_t)n, room + 5 * (size_t)n};
    for (int i = 0; rank == 0 && i < n; i++) {
        mass[i] = m[i];
        for (int k = 0; k < 3; k++)
            p[k][i] = given[k][i];
    }
    MPI_Bcast(mass, n, MPI_DOUBLE, 0, comm);
    MPI_Bcast(room, 3 * n, MPI_DOUBLE, 0, comm);
    for (int i = start(n, rank, ranks); i < start(n, rank + 1, ranks); i++)
        sum(n, i, mass, p, a);
    MPI_Reduce(rank == 0 ? MPI_IN_PLACE : a[0], a[0], 3 * n, MPI_DOUBLE, MPI_SUM, 0, comm);
    for (int k = 0; rank == 0 && k < 3; k++)
        for (int i = 0; i < n; i++) {
            speed[k][i] += dt * a[k][i];
            given[k][i] += dt * speed[k][i];
        }
    free(room);
}
