/* lists.h - neighbours of each vertex, one after the other. */
#ifndef LISTS_H
#define LISTS_H
#include "bfs.h"
#include <stdint.h>

/* begin: n + 1 zeros; list: 2 m numbers. */
static inline void make_lists(int n, int m, const int32_t *from, const int32_t *to, int32_t *begin,
                              int32_t *list)
{
    for (int e = 0; e < m; e++) {
        begin[from[e]]++;
        begin[to[e]]++;
    }
    for (int i = 0, sum = 0; i <= n; i++) {
        const int32_t degree = begin[i];
        begin[i] = sum += i < n ? degree : 0;
    }
    for (int e = 0; e < m; e++) {
        list[--begin[from[e]]] = to[e];
        list[--begin[to[e]]] = from[e];
    }
}
#endif
