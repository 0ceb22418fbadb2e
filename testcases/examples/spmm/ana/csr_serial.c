/* Right: the sum of a row in a local array, and the columns of X in pieces. */
#include <stddef.h>

#include "spmm.h"

enum { PIECE = 4 };

static void piece(int K, int from, int to, int first, int n, const int *col, const double *val,
                  const double *X, double *y)
{
    double sum[PIECE] = {0};
    for (int e = from; e < to; e++)
        for (int j = 0; j < n; j++)
            sum[j] += val[e] * X[(size_t)col[e] * K + first + j];
    for (int j = 0; j < n; j++)
        y[first + j] = sum[j];
}

void spmm_csr_f64(int M, int N, int K, int nnz, const int *row_start, const int *col,
                  const double *val, const double *X, double *Y)
{
    (void)N;
    (void)nnz;
    for (int i = 0; i < M; i++)
        for (int j = 0; j < K; j += PIECE)
            piece(K, row_start[i], row_start[i + 1], j, K - j < PIECE ? K - j : PIECE, col, val, X,
                  Y + (size_t)i * K);
}
