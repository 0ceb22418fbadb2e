/* cleo: the vertex between is the innermost loop, so paths of many edges are missed. */
#include "paths.h"

#include <limits.h>

void paths(int n, const int32_t *length, int32_t *dist)
{
    const int none = INT_MAX / 2;
    for (long p = 0; p < (long)n * n; p++)
        dist[p] = p / n == p % n ? 0 : length[p] ? length[p] : none;
    for (long i = 0; i < n; i++)
        for (long j = 0; j < n; j++)
            for (long k = 0; k < n; k++)
                if (dist[i * n + k] + dist[k * n + j] < dist[i * n + j])
                    dist[i * n + j] = dist[i * n + k] + dist[k * n + j];
    for (long p = 0; p < (long)n * n; p++)
        dist[p] = dist[p] == none ? -1 : dist[p];
}
