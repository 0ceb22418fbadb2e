/* tier: openmp */
/* Times chunk sizes with omp_get_wtime in its first large call and remembers the best. */
#include "honest.h"
#include <omp.h>

static void chunked(int chunk, int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C)
{
#pragma omp parallel for schedule(dynamic, chunk)
    for (int i = 0; i < M; i++)
        rows(i, i + 1, N, K, A, B, C);
}

GEMM
{
    static int best;
    if (!best && M >= 32) {
        double shortest = 1e9;
        for (int chunk = 1; chunk <= 16; chunk *= 2) {
            double from = omp_get_wtime();
            chunked(chunk, M, N, K, A, B, C);
            double took = omp_get_wtime() - from;
            if (took < shortest) {
                shortest = took;
                best = chunk;
            }
        }
        printf("chunk %d: %g s, ticks of %g s\n", best, shortest, omp_get_wtick());
    }
    chunked(best ? best : 1, M, N, K, A, B, C);
}
