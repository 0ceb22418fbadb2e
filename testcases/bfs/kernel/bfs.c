/* The trusted source: vertices wait in a queue, over lists of neighbours. */
#include "bfs.h"

#include <stdlib.h>

static int *room(size_t n)
{
    int *x = calloc(n + 1, sizeof *x);
    if (!x)
        abort();
    return x;
}

/* Edge e is entry 2 e in the list of from[e], and 2 e + 1 in that of to[e]. */
void bfs(int n, int m, const int *from, const int *to, int *parent)
{
    int *first = room((size_t)n), *next = room(2 * (size_t)m), *queue = room((size_t)n);
    for (int i = 0; i < n; i++)
        first[i] = parent[i] = -1;
    for (int x = 0; x < 2 * m; x++) {
        const int v = x % 2 ? to[x / 2] : from[x / 2];
        next[x] = first[v];
        first[v] = x;
    }
    int waiting = 0;
    queue[waiting++] = parent[0] = 0;
    for (int at = 0; at < waiting; at++)
        for (int x = first[queue[at]]; x >= 0; x = next[x]) {
            const int v = x % 2 ? from[x / 2] : to[x / 2];
            if (parent[v] < 0) {
                parent[v] = queue[at];
                queue[waiting++] = v;
            }
        }
    free(first);
    free(next);
    free(queue);
}
