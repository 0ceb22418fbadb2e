/* ben: the loop over the vertices between is the parallel one. */
#include "paths.h"

#include <limits.h>

void paths(int n, const int32_t *length, int32_t *dist)
{
    const int none = INT_MAX / 2;
    for (long p = 0; p < (long)n * n; p++)
        dist[p] = p / n == p % n ? 0 : length[p] ? length[p] : none;
#pragma omp parallel for schedule(static, 1)
    for (long k = 0; k < n; k++)
        for (long i = 0; i < n; i++)
            for (long j = 0; j < n; j++)
                if (dist[i * n + k] + dist[k * n + j] < dist[i * n + j])
                    dist[i * n + j] = dist[i * n + k] + dist[k * n + j];
    for (long p = 0; p < (long)n * n; p++)
        dist[p] = dist[p] == none ? -1 : dist[p];
}
