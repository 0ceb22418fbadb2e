/* Right, but every thread has the same number of rows: with rmat, the first one has most of the
 * work.
 */
#include <stddef.h>

#include "spmm.h"

void spmm_csr_f64(int M, int N, int K, int nnz, const int *row_start, const int *col,
                  const double *val, const double *X, double *Y)
{
    (void)N;
    (void)nnz;
#pragma omp parallel for schedule(static)
    for (int i = 0; i < M; i++) {
        double *y = Y + (size_t)i * K;
        for (int j = 0; j < K; j++)
            y[j] = 0;
        for (int e = row_start[i]; e < row_start[i + 1]; e++)
            for (int j = 0; j < K; j++)
                y[j] += val[e] * X[(size_t)col[e] * K + j];
    }
}
