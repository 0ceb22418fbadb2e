/* tier: naive */
/* A workspace straight from the kernel, given back after each call. */
#include "honest.h"
#include <sys/mman.h>

GEMM
{
    size_t bytes = (size_t)K * N * sizeof *B;
    int32_t *copy = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
    if (copy == MAP_FAILED)
        abort();
    memcpy(copy, B, bytes);
    rows(0, M, N, K, A, copy, C);
    munmap(copy, bytes);
}
