/* tier: naive */
/* Prints its arguments in each call, to both streams, with a flush. */
#include "honest.h"

GEMM
{
    setvbuf(stdout, NULL, _IOLBF, 0);
    printf("%d x %d x %d at %p\n", M, N, K, (void *)C);
    fprintf(stderr, "A[0] = %d\n", A[0]);
    fflush(stderr);
    fflush(NULL);
    rows(0, M, N, K, A, B, C);
}
