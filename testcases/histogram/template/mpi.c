#include "histogram.h"

void histogram_mpi(int n, const uint8_t *x, int64_t *bins, MPI_Comm comm)
{
    (void)n, (void)x, (void)bins,
        (void)comm; /* write your code here; x and bins are valid on rank 0 */
}
