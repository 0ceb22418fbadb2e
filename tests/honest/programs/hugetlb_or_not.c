/* tier: naive */
/* Asks for reserved huge pages, and takes ordinary ones where there are none. */
#include "honest.h"
#include <sys/mman.h>

GEMM
{
    size_t bytes = ((size_t)K * N * sizeof *B + (2 << 20) - 1) & ~(size_t)((2 << 20) - 1);
    int flags = MAP_PRIVATE | MAP_ANONYMOUS;
    int32_t *copy = mmap(NULL, bytes, PROT_READ | PROT_WRITE, flags | MAP_HUGETLB, -1, 0);
    if (copy == MAP_FAILED)
        copy = mmap(NULL, bytes, PROT_READ | PROT_WRITE, flags, -1, 0);
    if (copy == MAP_FAILED)
        abort();
    memcpy(copy, B, (size_t)K * N * sizeof *B);
    rows(0, M, N, K, A, copy, C);
    munmap(copy, bytes);
}
