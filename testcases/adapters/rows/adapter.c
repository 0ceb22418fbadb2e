/* The function that Paragrade calls, in terms of the course's matMul(). No element is copied: a row
 * is a pointer into the matrix. */
#include "gemm.h"

#include <stdlib.h>

void matMul(int n, int **a, int **b, int **c);

static int **rows_of(int n, const int32_t *elements)
{
    int **row = malloc((size_t)n * sizeof *row);
    if (!row)
        abort();
    for (int i = 0; i < n; i++)
        row[i] = (int *)elements + (size_t)i * (size_t)n;
    return row;
}

void gemm_i32(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C)
{
    int **a = rows_of(M, A), **b = rows_of(M, B), **c = rows_of(M, C);
    (void)N, (void)K; /* squares: N and K are M */
    matMul(M, a, b, c);
    free(a);
    free(b);
    free(c);
}
