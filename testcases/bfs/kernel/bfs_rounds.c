/* The second source: distances become smaller along edges until none does. The last edge that fits
 * gives the parent. */
#include "bfs.h"

#include <limits.h>
#include <stdlib.h>

static int nearer(int *distance, int a, int b)
{
    if (distance[a] == INT_MAX || distance[a] + 1 >= distance[b])
        return 0;
    distance[b] = distance[a] + 1;
    return 1;
}

static void take(const int *distance, int *parent, int a, int b)
{
    if (distance[a] != INT_MAX && distance[a] + 1 == distance[b])
        parent[b] = a;
}

void bfs(int n, int m, const int *from, const int *to, int *parent)
{
    int *distance = malloc((size_t)n * sizeof *distance);
    if (!distance)
        abort();
    for (int i = 0; i < n; i++) {
        distance[i] = i ? INT_MAX : 0;
        parent[i] = i ? -1 : 0;
    }
    for (int changed = 1; changed;) {
        changed = 0;
        for (int e = 0; e < m; e++)
            changed |= nearer(distance, from[e], to[e]) | nearer(distance, to[e], from[e]);
        for (int e = m - 1; e >= 0 && changed; e--)
            changed |= nearer(distance, from[e], to[e]) | nearer(distance, to[e], from[e]);
    }
    for (int e = 0; e < m; e++) {
        take(distance, parent, from[e], to[e]);
        take(distance, parent, to[e], from[e]);
    }
    free(distance);
}
