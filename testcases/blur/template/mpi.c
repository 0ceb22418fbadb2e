#include "blur.h"

void blur_mpi(int h, int w, int r, const uint8_t *in, uint8_t *out, MPI_Comm comm)
{
    /* write your code here; in and out are valid on rank 0 only */
    (void)h, (void)w, (void)r, (void)in, (void)out, (void)comm;
}
