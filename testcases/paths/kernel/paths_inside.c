/* A usual mistake: the loop over k is the innermost one. */
#include "paths.h"

#include <limits.h>

enum { NONE = INT_MAX / 2 };

void paths(int n, const int32_t *length, int32_t *dist)
{
    for (long p = 0; p < (long)n * n; p++)
        dist[p] = p / n == p % n ? 0 : length[p] ? length[p] : NONE;
    for (long i = 0; i < n; i++)
        for (long j = 0; j < n; j++)
            for (long k = 0; k < n; k++)
                if (dist[i * n + k] + dist[k * n + j] < dist[i * n + j])
                    dist[i * n + j] = dist[i * n + k] + dist[k * n + j];
    for (long p = 0; p < (long)n * n; p++)
        dist[p] = dist[p] == NONE ? -1 : dist[p];
}
