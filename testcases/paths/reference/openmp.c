/* openmp.c - threads share the rows; all wait after each vertex. Row k does not change in step k.
 */
#include "paths.h"

#include <limits.h>

/* The length of no path: two of them can be added. */
enum { NONE = INT_MAX / 2 };

static int32_t at_first(int n, long p, int32_t length)
{
    return p / n == p % n ? 0 : length ? length : NONE;
}

/* Paths over vertex k, whose row is `over`, for the row of one vertex. */
static void relax(int n, int k, const int32_t *over, int32_t *row)
{
    const int32_t there = row[k];
    if (there == NONE)
        return;
    for (int j = 0; j < n; j++)
        row[j] = there + over[j] < row[j] ? there + over[j] : row[j];
}

void paths(int n, const int32_t *length, int32_t *dist)
{
#pragma omp parallel
    {
#pragma omp for
        for (long p = 0; p < (long)n * n; p++)
            dist[p] = at_first(n, p, length[p]);
        for (int k = 0; k < n; k++) {
#pragma omp for schedule(static)
            for (int i = 0; i < n; i++)
                if (i != k)
                    relax(n, k, dist + (long)k * n, dist + (long)i * n);
        }
#pragma omp for
        for (long p = 0; p < (long)n * n; p++)
            dist[p] = dist[p] == NONE ? -1 : dist[p];
    }
}
