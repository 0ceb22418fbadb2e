/* tier: naive */
/* Sorts the rows of A by their first element and computes them in that order. */
#include "honest.h"

static int compare(const void *x, const void *y, void *first)
{
    const int32_t *a = first;
    int i = *(const int *)x, j = *(const int *)y;
    return a[i] < a[j] ? -1 : a[i] > a[j] ? 1 : i - j;
}

GEMM
{
    int *order = malloc(M * sizeof *order);
    int32_t *first = malloc(M * sizeof *first);
    for (int i = 0; i < M; i++) {
        order[i] = i;
        first[i] = A[(size_t)i * K];
    }
    qsort_r(order, M, sizeof *order, compare, first);
    for (int i = 0; i < M; i++)
        rows(order[i], order[i] + 1, N, K, A, B, C);
    free(order);
    free(first);
}
