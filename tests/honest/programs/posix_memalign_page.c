/* tier: naive */
/* Aligned to pages, by three functions. */
#include "honest.h"
#include <malloc.h>
#include <unistd.h>

GEMM
{
    void *p;
    if (posix_memalign(&p, (size_t)getpagesize(), (size_t)K * N * sizeof *B) != 0)
        abort();
    int32_t *a = memalign(64, (size_t)M * K * sizeof *A);
    int32_t *c = aligned_alloc(64, ((size_t)M * N * sizeof *C + 63) / 64 * 64);
    memcpy(p, B, (size_t)K * N * sizeof *B);
    memcpy(a, A, (size_t)M * K * sizeof *A);
    rows(0, M, N, K, a, p, c);
    memcpy(C, c, (size_t)M * N * sizeof *C);
    free(p);
    free(a);
    free(c);
}
