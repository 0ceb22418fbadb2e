/* sparse_la.c - trusted sources of 45 to 49. Entries are given by row and column. */
#include <stdlib.h>
#include <string.h>

static double *dense(int n, int entries, const double *diagonal, const int *row, const int *column,
                     const double *value)
{
    double *A = calloc((size_t)n * (size_t)n, sizeof *A);
    for (int i = 0; i < n; i++)
        A[i * n + i] = diagonal[i];
    for (int e = 0; e < entries; e++)
        A[row[e] * n + column[e]] += value[e];
    return A;
}

/* A becomes its factors. */
static void factor(int n, double *A)
{
    for (int k = 0; k < n; k++)
        for (int i = k + 1; i < n; i++) {
            if (A[i * n + k] == 0)
                continue;
            A[i * n + k] /= A[k * n + k];
            for (int j = k + 1; j < n; j++)
                A[i * n + j] -= A[i * n + k] * A[k * n + j];
        }
}

void sparse_solve(int n, int entries, const double *diagonal, const int *row, const int *column,
                  const double *value, const double *b, double *x)
{
    double *A = dense(n, entries, diagonal, row, column, value);
    factor(n, A);
    for (int i = 0; i < n; i++) {
        x[i] = b[i];
        for (int j = 0; j < i; j++)
            x[i] -= A[i * n + j] * x[j];
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int j = i + 1; j < n; j++)
            x[i] -= A[i * n + j] * x[j];
        x[i] /= A[i * n + i];
    }
    free(A);
}

void sparse_product(int n, int m, int na, int nx, const int *arow, const int *acolumn,
                    const double *a, const int *xrow, const int *xcolumn, const double *x,
                    double *Y)
{
    double *X = calloc((size_t)n * (size_t)m, sizeof *X);
    memset(Y, 0, sizeof *Y * (size_t)n * (size_t)m);
    for (int e = 0; e < nx; e++)
        X[xrow[e] * m + xcolumn[e]] += x[e];
    for (int e = 0; e < na; e++)
        for (int j = 0; j < m; j++)
            Y[arow[e] * m + j] += a[e] * X[acolumn[e] * m + j];
    free(X);
}

void spmv(int m, int n, int entries, double alpha, const int *row, const int *column,
          const double *value, const double *x, double beta, double *y)
{
    (void)n;
    for (int i = 0; i < m; i++)
        y[i] *= beta;
    for (int e = 0; e < entries; e++)
        y[row[e]] += alpha * value[e] * x[column[e]];
}

void sparse_axpy(int n, int nx, int ny, double alpha, const int *xindex, const double *x,
                 const int *yindex, const double *y, double *z)
{
    memset(z, 0, sizeof *z * (size_t)n);
    for (int e = 0; e < nx; e++)
        z[xindex[e]] += alpha * x[e];
    for (int e = 0; e < ny; e++)
        z[yindex[e]] += y[e];
}

void sparse_lu(int n, int entries, const double *diagonal, const int *row, const int *column,
               const double *value, double *L, double *U)
{
    double *A = dense(n, entries, diagonal, row, column, value);
    factor(n, A);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            L[i * n + j] = i > j ? A[i * n + j] : i == j;
            U[i * n + j] = i <= j ? A[i * n + j] : 0;
        }
    free(A);
}
