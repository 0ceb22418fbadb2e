/* tier: naive */
/* All the family: mlock2, mlockall and back; whether they work is the machine's affair. */
#include "honest.h"
#include <sys/mman.h>

GEMM
{
    int32_t *copy = malloc((size_t)K * N * sizeof *B);
    int locked = mlock2(copy, (size_t)K * N * sizeof *B, MLOCK_ONFAULT) == 0;
    memcpy(copy, B, (size_t)K * N * sizeof *B);
    if (mlockall(MCL_CURRENT) == 0)
        munlockall();
    rows(0, M, N, K, A, copy, C);
    if (locked)
        munlock(copy, (size_t)K * N * sizeof *B);
    free(copy);
}
