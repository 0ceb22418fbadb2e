/* Interface: spmv(n, row_ptr, col_idx, val, x, y): y = A x, for a matrix of n rows in CSR.
 * Lines: kernel: spmm_csr, type: f64; sizes with K = 1 are timed: poisson:100000x1
 *        compile: gcc ... -I{abi} -o {out} {src} */
#include "spmm.h"

#include <stdlib.h>

#if __has_include("adapter_names.h")
#include "adapter_names.h"
#endif

void spmv(int n, const int *row_ptr, const int *col_idx, const double *val, const double *x,
          double *y);

static double *new_vector(int n)
{
    double *v = malloc((size_t)n * sizeof *v);
    if (!v)
        abort();
    return v;
}

/* One call for each column of X. With one column, nothing is copied. If the students' function adds
 * to y: set y to 0 with memset() before each call. */
void spmm_csr_f64(int M, int N, int K, int nnz, const int *row_start, const int *col,
                  const double *val, const double *X, double *Y)
{
    (void)nnz;
    if (K == 1) {
        spmv(M, row_start, col, val, X, Y);
        return;
    }
    double *x = new_vector(N), *y = new_vector(M);
    for (int k = 0; k < K; k++) {
        for (int j = 0; j < N; j++)
            x[j] = X[(size_t)j * (size_t)K + (size_t)k];
        for (int i = 0; i < M; i++) /* an element that spmv() does not write stays wrong */
            y[i] = Y[(size_t)i * (size_t)K + (size_t)k];
        spmv(M, row_start, col, val, x, y);
        for (int i = 0; i < M; i++)
            Y[(size_t)i * (size_t)K + (size_t)k] = y[i];
    }
    free(x);
    free(y);
}
