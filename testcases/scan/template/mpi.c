#include "scan.h"

void scan_f64_mpi(int n, const double *x, double *y, MPI_Comm comm)
{
    (void)n, (void)x, (void)y, (void)comm; /* write your code here; x and y are valid on rank 0 */
}
