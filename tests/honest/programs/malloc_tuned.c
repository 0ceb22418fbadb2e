/* tier: naive */
/* Tells the allocator to keep large blocks, and gives back what is left. */
#include "honest.h"
#include <malloc.h>

GEMM
{
    static int told;
    if (!told++) {
        mallopt(M_MMAP_THRESHOLD, 64 << 20);
        mallopt(M_TRIM_THRESHOLD, 128 << 20);
    }
    int32_t *copy = malloc((size_t)K * N * sizeof *B);
    memcpy(copy, B, (size_t)K * N * sizeof *B);
    rows(0, M, N, K, A, copy, C);
    free(copy);
    malloc_trim(0);
    if (mallinfo2().uordblks > (size_t)1 << 30)
        fputs("much memory\n", stderr);
}
