/* The second source: a search from each vertex that has no label yet, over lists of neighbours. */
#include "components.h"

#include <stdlib.h>

static int *room(size_t n)
{
    int *x = calloc(n + 1, sizeof *x);
    if (!x)
        abort();
    return x;
}

/* Edge e is entry 2 e in the list of from[e], and 2 e + 1 in that of to[e]. */
void components(int n, int m, const int *from, const int *to, int *label)
{
    int *first = room((size_t)n), *next = room(2 * (size_t)m), *stack = room((size_t)n);
    for (int i = 0; i < n; i++)
        first[i] = label[i] = -1;
    for (int x = 0; x < 2 * m; x++) {
        const int v = x % 2 ? to[x / 2] : from[x / 2];
        next[x] = first[v];
        first[v] = x;
    }
    for (int i = 0; i < n; i++) {
        int waiting = 0;
        if (label[i] >= 0)
            continue;
        label[i] = i;
        stack[waiting++] = i;
        while (waiting > 0)
            for (int x = first[stack[--waiting]]; x >= 0; x = next[x]) {
                const int v = x % 2 ? from[x / 2] : to[x / 2];
                if (label[v] < 0) {
                    label[v] = i;
                    stack[waiting++] = v;
                }
            }
    }
    free(first);
    free(next);
    free(stack);
}
