/* ana: merge sort from below; in each step, threads share the pairs of runs. */
#include "sort_i32.h"

#include <stdlib.h>
#include <string.h>

static void merge(const int32_t *from, long at, long half, long end, int32_t *to)
{
    for (long i = at, j = half, k = at; k < end; k++)
        to[k] = i < half && (j == end || from[i] <= from[j]) ? from[i++] : from[j++];
}

static long least(long a, long b)
{
    return a < b ? a : b;
}

void sort_i32(int n, int32_t *a)
{
    int32_t *room = malloc((size_t)n * sizeof *room), *from = a, *to = room;
    for (long run = 1; run < n; run *= 2) {
#pragma omp parallel for
        for (long at = 0; at < n; at += 2 * run)
            merge(from, at, least(at + run, n), least(at + 2 * run, n), to);
        int32_t *other = from;
        from = to;
        to = other;
    }
    if (from != a)
        memcpy(a, from, (size_t)n * sizeof *a);
    free(room);
}
