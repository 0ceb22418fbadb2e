#include "nbody.h"

void nbody_mpi(int n, double dt, const double *m, double *x, double *y, double *z, double *u,
               double *v, double *w, MPI_Comm comm)
{
    /* write your code here; pointers are valid on rank 0 only */
    (void)n, (void)dt, (void)m, (void)x, (void)y, (void)z, (void)u, (void)v, (void)w, (void)comm;
}
