/* Wrong: it walks along the entries, so it never reaches the empty rows behind the last entry. */
#include <stddef.h>

#include "spmm.h"

void spmm_csr_f64(int M, int N, int K, int nnz, const int *row_start, const int *col,
                  const double *val, const double *X, double *Y)
{
    (void)M;
    (void)N;
    int i = -1;
    for (int e = 0; e < nnz; e++) {
        while (e >= row_start[i + 1]) { /* e is in another row: begin it */
            i++;
            for (int j = 0; j < K; j++)
                Y[(size_t)i * K + j] = 0;
        }
        for (int j = 0; j < K; j++)
            Y[(size_t)i * K + j] += val[e] * X[(size_t)col[e] * K + j];
    }
}
