/* ana: threads share the edges of a round. Which of several writes the parent is chance, and right.
 */
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
#pragma omp parallel for reduction(| : more)
        for (int e = 0; e < m; e++)
            for (int way = 0; way < 2; way++) {
                const int a = way ? to[e] : from[e], b = way ? from[e] : to[e];
                int none = -1;
                if (__atomic_load_n(&level[a], __ATOMIC_RELAXED) == round &&
                    __atomic_compare_exchange_n(&level[b], &none, round + 1, 0, __ATOMIC_RELAXED,
                                                __ATOMIC_RELAXED)) {
                    parent[b] = a;
                    more = 1;
                }
            }
    }
    free(level);
}
