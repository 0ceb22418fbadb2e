/* The trusted source: trees of vertices, which edges join. */
#include "components.h"

static int root(int *parent, int i)
{
    while (parent[i] != i)
        i = parent[i] = parent[parent[i]];
    return i;
}

void components(int n, int m, const int *from, const int *to, int *label)
{
    for (int i = 0; i < n; i++)
        label[i] = i;
    for (int e = 0; e < m; e++)
        label[root(label, from[e])] = root(label, to[e]);
    for (int i = 0; i < n; i++)
        label[i] = root(label, i);
}
