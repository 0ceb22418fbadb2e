/* naive.c - trees of vertices, which edges join; a way up a tree is halved while it is walked. */
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
    for (int e = 0; e < m; e++) {
        const int a = root(label, from[e]), b = root(label, to[e]);
        label[a > b ? a : b] = a > b ? b : a;
    }
    for (int i = 0; i < n; i++)
        label[i] = root(label, i);
}
