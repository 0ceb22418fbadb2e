/* openmp.c - level by level: threads share the vertices of a level, and whoever comes first is the
 * parent. */
#include "bfs.h"

#include <stdlib.h>

struct lists {
    int *end, *list;
};

/* Where the list of i begins is end[i] afterwards. */
static struct lists neighbours(int n, int m, const int *from, const int *to)
{
    struct lists l = {calloc((size_t)n + 1, sizeof(int)), malloc(2 * (size_t)m * sizeof(int))};
    if (!l.end || !l.list)
        abort();
#pragma omp parallel for
    for (int e = 0; e < m; e++) {
        __atomic_fetch_add(&l.end[from[e]], 1, __ATOMIC_RELAXED);
        __atomic_fetch_add(&l.end[to[e]], 1, __ATOMIC_RELAXED);
    }
    for (int i = 1; i <= n; i++)
        l.end[i] += l.end[i - 1];
#pragma omp parallel for
    for (int e = 0; e < m; e++) {
        l.list[__atomic_sub_fetch(&l.end[from[e]], 1, __ATOMIC_RELAXED)] = to[e];
        l.list[__atomic_sub_fetch(&l.end[to[e]], 1, __ATOMIC_RELAXED)] = from[e];
    }
    return l;
}

void bfs(int n, int m, const int *from, const int *to, int *parent)
{
    const struct lists l = neighbours(n, m, from, to);
    int *queue = calloc((size_t)n, sizeof *queue), begin = 0, end = 1;
    if (!queue)
        abort();
    for (int i = 0; i < n; i++)
        parent[i] = -1;
    queue[0] = parent[0] = 0;
    for (int waiting = 1; begin < end; begin = end, end = waiting) {
#pragma omp parallel for schedule(dynamic, 64)
        for (int at = begin; at < end; at++)
            for (int k = l.end[queue[at]]; k < l.end[queue[at] + 1]; k++) {
                int none = -1;
                const int v = l.list[k];
                if (__atomic_load_n(&parent[v], __ATOMIC_RELAXED) < 0 &&
                    __atomic_compare_exchange_n(&parent[v], &none, queue[at], 0, __ATOMIC_RELAXED,
                                                __ATOMIC_RELAXED))
                    queue[__atomic_fetch_add(&waiting, 1, __ATOMIC_RELAXED)] = v;
            }
    }
    free(l.end);
    free(l.list);
    free(queue);
}
