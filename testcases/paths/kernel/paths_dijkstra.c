/* The second source: Dijkstra's algorithm from each vertex. */
#include "paths.h"

#include <stdlib.h>

/* The vertex that is nearest among those that are not done; n if there is none. */
static int nearest(int n, const int32_t *dist, const char *done)
{
    int best = n;
    for (int i = 0; i < n; i++)
        if (!done[i] && dist[i] >= 0 && (best == n || dist[i] < dist[best]))
            best = i;
    return best;
}

static void from_one(int n, const int32_t *length, int start, int32_t *dist)
{
    char *done = calloc((size_t)n, 1);
    if (!done)
        abort();
    for (int i = 0; i < n; i++)
        dist[i] = i == start ? 0 : -1;
    for (int v = start; v < n; v = nearest(n, dist, done)) {
        done[v] = 1;
        for (int i = 0; i < n; i++) {
            const int32_t edge = length[(long)v * n + i];
            if (edge && (dist[i] < 0 || dist[v] + edge < dist[i]))
                dist[i] = dist[v] + edge;
        }
    }
    free(done);
}

void paths(int n, const int32_t *length, int32_t *dist)
{
    for (int i = 0; i < n; i++)
        from_one(n, length, i, dist + (long)i * n);
}
