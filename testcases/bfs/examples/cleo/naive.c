/* cleo: a search in depth, so paths are longer than they need be. */
#include "bfs.h"

static void visit(int m, const int *from, const int *to, int *parent, int v)
{
    for (int e = 0; e < m; e++) {
        const int next = from[e] == v ? to[e] : to[e] == v ? from[e] : -1;
        if (next >= 0 && parent[next] < 0) {
            parent[next] = v;
            visit(m, from, to, parent, next);
        }
    }
}

void bfs(int n, int m, const int *from, const int *to, int *parent)
{
    for (int i = 0; i < n; i++)
        parent[i] = i ? -1 : 0;
    visit(m, from, to, parent, 0);
}
