#include "sort_i32.h"

void sort_i32_mpi(int n, int32_t *a, MPI_Comm comm)
{
    (void)n, (void)a, (void)comm; /* write your code here; a is valid on rank 0 only */
}
