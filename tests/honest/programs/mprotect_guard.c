/* tier: naive */
/* A buffer between two pages that cannot be touched, to find its own mistakes. */
#include "honest.h"
#include <sys/mman.h>
#include <unistd.h>

GEMM
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    size_t bytes = ((size_t)K * N * sizeof *B + page - 1) / page * page;
    char *all = mmap(NULL, bytes + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (all == MAP_FAILED || mprotect(all + page, bytes, PROT_READ | PROT_WRITE) != 0) {
        perror("guard");
        abort();
    }
    int32_t *copy = (int32_t *)(all + page);
    memcpy(copy, B, (size_t)K * N * sizeof *B);
    mprotect(copy, bytes, PROT_READ);
    rows(0, M, N, K, A, copy, C);
    munmap(all, bytes + 2 * page);
}
