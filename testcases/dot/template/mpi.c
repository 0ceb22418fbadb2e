#include "dot.h"

double dot_f64_mpi(int n, const double *x, const double *y, MPI_Comm comm)
{
    (void)n, (void)x, (void)y, (void)comm;
    return 0; /* write your code here; the result of rank 0 counts */
}
