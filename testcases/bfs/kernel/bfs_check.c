/* The check: is each parent joined to its vertex, and one edge nearer to vertex 0? A result may
 * hold any numbers. */
#include "bfs.h"

#include <stdio.h>
#include <stdlib.h>

/* How many edges each vertex is away from 0, along the parents of the right result; or -1. */
static int *distances(int n, const int *parent)
{
    int *distance = malloc((size_t)n * sizeof *distance);
    if (!distance)
        abort();
    for (int i = 0; i < n; i++)
        distance[i] = i ? -1 : 0;
    for (int i = 0; i < n; i++) {
        int away = 0, at = i;
        for (; parent[at] >= 0 && distance[at] < 0; at = parent[at])
            away++;
        away += distance[at];
        for (at = i; parent[at] >= 0 && distance[at] < 0; at = parent[at])
            distance[at] = away--;
    }
    return distance;
}

/* joined[i] becomes 1 if an edge leads from parent[i] to i. */
static unsigned char *edges_there(int n, int m, const int *from, const int *to, const int *parent)
{
    unsigned char *joined = calloc((size_t)n, 1);
    if (!joined)
        abort();
    for (int e = 0; e < m; e++) {
        joined[to[e]] |= parent[to[e]] == from[e];
        joined[from[e]] |= parent[from[e]] == to[e];
    }
    return joined;
}

int bfs_check(int n, int m, const int *from, const int *to, const int *parent,
              const int *right_parent, char why[200])
{
    int *away = distances(n, right_parent);
    unsigned char *joined = edges_there(n, m, from, to, parent);
    int wrong = 0;
    for (int i = 0; i < n && !wrong; i++) {
        const int p = parent[i];
        wrong = 1;
        if (p < -1 || p >= n)
            snprintf(why, 200, "parent[%d] is %d, which is no vertex", i, p);
        else if (p == -1 && away[i] >= 0)
            snprintf(why, 200, "parent[%d] is -1, and it is %d edges away from 0", i, away[i]);
        else if (p >= 0 && away[i] < 0)
            snprintf(why, 200, "parent[%d] is %d, and no path leads there from 0", i, p);
        else if (i == 0 && p != 0)
            snprintf(why, 200, "parent[0] is %d", p);
        else if (i && p >= 0 && away[p] != away[i] - 1)
            snprintf(why, 200, "parent[%d] is %d, which is %d edges away from 0, and %d is %d", i,
                     p, away[p], i, away[i]);
        else if (i && p >= 0 && !joined[i])
            snprintf(why, 200, "parent[%d] is %d, and no edge joins them", i, p);
        else
            wrong = 0;
    }
    free(away);
    free(joined);
    return !wrong;
}
