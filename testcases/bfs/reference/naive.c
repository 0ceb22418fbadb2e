/* naive.c - vertices wait in a queue, over lists of neighbours in one array. */
#include "bfs.h"

#include <stdlib.h>

void bfs(int n, int m, const int *from, const int *to, int *parent)
{
    int *end = calloc((size_t)n + 1, sizeof *end), *list = malloc(2 * (size_t)m * sizeof *list);
    int *queue = malloc((size_t)n * sizeof *queue), waiting = 0;
    if (!end || !list || !queue)
        abort();
    for (int e = 0; e < m; e++) {
        end[from[e]]++;
        end[to[e]]++;
    }
    for (int i = 1; i <= n; i++)
        end[i] += end[i - 1];
    for (int e = 0; e < m; e++) {
        list[--end[from[e]]] = to[e];
        list[--end[to[e]]] = from[e];
    }
    for (int i = 0; i < n; i++) /* now end[i] is where the list of i begins */
        parent[i] = -1;
    queue[waiting++] = parent[0] = 0;
    for (int at = 0; at < waiting; at++)
        for (int k = end[queue[at]]; k < end[queue[at] + 1]; k++)
            if (parent[list[k]] < 0) {
                parent[list[k]] = queue[at];
                queue[waiting++] = list[k];
            }
    free(end);
    free(list);
    free(queue);
}
