/*
 * csr_serial - your turn. Compute Y = A * X: A is M x N and sparse, X is N x K, Y is M x K. X and Y
 * are row-major: X[k][j] is X[(size_t)k * K + j]. The entries of row i of A are those from
 * row_start[i] to row_start[i + 1] - 1 of col and val. Rows may be empty; then the row of Y is
 * zero. spmm.h says what else you may rely on.
 *
 * This file compiles and leaves Y as it is: it counts as missing until you write something.
 */
#include "spmm.h"

void spmm_csr_f64(int M, int N, int K, int nnz, const int *row_start, const int *col,
                  const double *val, const double *X, double *Y)
{
    (void)M, (void)N, (void)K, (void)nnz, (void)row_start, (void)col, (void)val, (void)X, (void)Y;
}
