/* tier: openmp */
/* A buffer of each thread's, static and thread-local, kept between calls. */
#include "honest.h"

static _Thread_local int32_t row[4096];

GEMM
{
    if (N > 4096)
        abort();
#pragma omp parallel for
    for (int i = 0; i < M; i++) {
        rows(0, 1, N, K, A + (size_t)i * K, B, row);
        memcpy(C + (size_t)i * N, row, N * sizeof *row);
    }
}
