/* naive.c - merge sort: both halves are sorted, then merged. */
#include "sort_i32.h"

#include <stdlib.h>
#include <string.h>

static void merge(const int32_t *a, int n, const int32_t *b, int m, int32_t *to)
{
    int i = 0, j = 0;
    for (int k = 0; k < n + m; k++)
        to[k] = j == m || (i < n && a[i] <= b[j]) ? a[i++] : b[j++];
}

static void sort(int32_t *a, int n, int32_t *room)
{
    const int half = n / 2;
    if (n < 2)
        return;
    sort(a, half, room);
    sort(a + half, n - half, room);
    merge(a, half, a + half, n - half, room);
    memcpy(a, room, (size_t)n * sizeof *a);
}

void sort_i32(int n, int32_t *a)
{
    int32_t *room = malloc((size_t)n * sizeof *room);
    sort(a, n, room);
    free(room);
}
