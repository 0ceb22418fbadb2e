/* ana: no lists; in each round, every edge is looked at, the last one first. So other parents come
 * out. */
#include "bfs.h"

#include <stdlib.h>

void bfs(int n, int m, const int *from, const int *to, int *parent)
{
    int *level = malloc((size_t)n * sizeof *level), more = 1;
    for (int i = 0; i < n; i++) {
        level[i] = i ? -1 : 0;
        parent[i] = i ? -1 : 0;
    }
    for (int round = 0; more; round++) {
        more = 0;
        for (int e = m - 1; e >= 0; e--)
            for (int way = 0; way < 2; way++) {
                const int a = way ? to[e] : from[e], b = way ? from[e] : to[e];
                if (level[a] == round && level[b] < 0) {
                    level[b] = round + 1;
                    parent[b] = a;
                    more = 1;
                }
            }
    }
    free(level);
}
