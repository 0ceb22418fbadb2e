/* dense_la.c - trusted sources of 00 to 04. */
#include <stdlib.h>
#include <string.h>

void lu(int n, double *A)
{
    for (int k = 0; k < n; k++)
        for (int i = k + 1; i < n; i++) {
            A[i * n + k] /= A[k * n + k];
            for (int j = k + 1; j < n; j++)
                A[i * n + j] -= A[i * n + k] * A[k * n + j];
        }
}

/* No pivots: the matrices are dominated by their diagonal, or lower ones. */
void solve(int n, const double *A, const double *b, double *x)
{
    double *M = malloc(sizeof *M * (size_t)n * (size_t)n);
    memcpy(M, A, sizeof *M * (size_t)n * (size_t)n);
    memcpy(x, b, sizeof *x * (size_t)n);
    for (int k = 0; k < n; k++)
        for (int i = k + 1; i < n; i++) {
            const double factor = M[i * n + k] / M[k * n + k];
            for (int j = k + 1; j < n; j++)
                M[i * n + j] -= factor * M[k * n + j];
            x[i] -= factor * x[k];
        }
    for (int i = n - 1; i >= 0; i--) {
        for (int j = i + 1; j < n; j++)
            x[i] -= M[i * n + j] * x[j];
        x[i] /= M[i * n + i];
    }
    free(M);
}

void gemm(int m, int n, int k, const double *A, const double *B, double *C)
{
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            double sum = 0;
            for (int l = 0; l < k; l++)
                sum += A[i * k + l] * B[l * n + j];
            C[i * n + j] = sum;
        }
}

void axpy(int n, double alpha, const double *x, const double *y, double *z)
{
    for (int i = 0; i < n; i++)
        z[i] = alpha * x[i] + y[i];
}

void gemv(int m, int n, const double *A, const double *x, double *y)
{
    for (int i = 0; i < m; i++) {
        y[i] = 0;
        for (int j = 0; j < n; j++)
            y[i] += A[i * n + j] * x[j];
    }
}
