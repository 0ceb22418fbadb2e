/* The second source: by halves, which are merged. */
#include "sort_i32.h"

#include <stdlib.h>

static void merge(int n, int half, const int32_t *from, int32_t *to)
{
    for (int i = 0, j = half, k = 0; k < n; k++)
        to[k] = j == n || (i < half && from[i] <= from[j]) ? from[i++] : from[j++];
}

void sort_i32(int n, int32_t *a)
{
    const int half = n / 2;
    if (n < 2)
        return;
    sort_i32(half, a);
    sort_i32(n - half, a + half);
    int32_t *merged = malloc((size_t)n * sizeof *merged);
    if (!merged)
        abort();
    merge(n, half, a, merged);
    for (int i = 0; i < n; i++)
        a[i] = merged[i];
    free(merged);
}
