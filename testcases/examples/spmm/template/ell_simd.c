/*
 * ell_simd - your turn. Compute Y = A * X: A is M x N and sparse, X is N x K, Y is M x K. X and Y
 * are row-major: X[k][j] is X[(size_t)k * K + j]. The entries of row i of A are those from i *
 * width to i * width + width - 1 of col and val. Short rows have padding at the end, whose values
 * are 0. spmm.h says what else you may rely on.
 *
 * This file compiles and leaves Y as it is: it counts as missing until you write something.
 */
#include "spmm.h"

void spmm_ell_f64(int M, int N, int K, int width, const int *col, const double *val,
                  const double *X, double *Y)
{
    (void)M, (void)N, (void)K, (void)width, (void)col, (void)val, (void)X, (void)Y;
}
