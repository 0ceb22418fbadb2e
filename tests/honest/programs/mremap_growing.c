/* tier: naive */
/* A workspace kept between calls that grows by mremap. */
#include "honest.h"
#include <sys/mman.h>

GEMM
{
    static int32_t *copy;
    static size_t have;
    size_t bytes = (size_t)K * N * sizeof *B;
    if (!copy) {
        have = bytes;
        copy = mmap(NULL, have, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    } else if (bytes > have) {
        copy = mremap(copy, have, bytes, MREMAP_MAYMOVE);
        have = bytes;
    }
    if (copy == MAP_FAILED)
        abort();
    memcpy(copy, B, bytes);
    rows(0, M, N, K, A, copy, C);
}
