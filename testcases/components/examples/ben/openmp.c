/* ben: threads join trees without caring for each other, so an edge may be lost. */
#include "components.h"

static int root(const int *parent, int i)
{
    while (parent[i] != i)
        i = parent[i];
    return i;
}

void components(int n, int m, const int *from, const int *to, int *label)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        label[i] = i;
#pragma omp parallel for schedule(static, 1)
    for (int e = 0; e < m; e++) {
        const int a = root(label, from[e]), b = root(label, to[e]);
        label[a > b ? a : b] = a > b ? b : a;
    }
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        label[i] = root(label, i);
}
