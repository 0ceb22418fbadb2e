/* ben: the queue of the next level has a length that threads change without an atomic operation, so
 * vertices get lost. */
#include "bfs.h"

#include <stdlib.h>
#include <string.h>

void bfs(int n, int m, const int *from, const int *to, int *parent)
{
    int *queue = malloc((size_t)n * sizeof *queue), *next = malloc((size_t)n * sizeof *next);
    int length = 1;
    for (int i = 0; i < n; i++)
        parent[i] = -1;
    queue[0] = parent[0] = 0;
    while (length > 0) {
        volatile int more = 0;
#pragma omp parallel for schedule(static, 1)
        for (int at = 0; at < length; at++)
            for (int e = 0; e < m; e++) {
                const int v = from[e] == queue[at] ? to[e] : to[e] == queue[at] ? from[e] : -1;
                if (v < 0 || parent[v] >= 0)
                    continue;
                parent[v] = queue[at];
                const int place = more;
                next[place] = v;
                more = place + 1;
            }
        length = more;
        memcpy(queue, next, (size_t)length * sizeof *queue);
    }
    free(queue);
    free(next);
}
