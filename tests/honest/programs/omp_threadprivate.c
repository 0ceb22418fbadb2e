/* tier: openmp */
/* Private buffers kept from call to call, with copyin, copyprivate and lastprivate. */
#include "honest.h"
#include <omp.h>

static int32_t *row;
static int have;
#pragma omp threadprivate(row, have)

GEMM
{
    int last = 0, total = 0, wide;
#pragma omp parallel copyin(have) private(wide)
    {
        if (have < N || !row) {
            row = realloc(row, N * sizeof *row);
            have = N;
        }
#pragma omp single copyprivate(wide)
        wide = N;
#pragma omp for lastprivate(last) reduction(+ : total)
        for (int i = 0; i < M; i++) {
            rows(0, 1, wide, K, A + (size_t)i * K, B, row);
            memcpy(C + (size_t)i * N, row, N * sizeof *row);
            last = i;
            total++;
        }
    }
    if (last != M - 1 || total != M)
        abort();
}
