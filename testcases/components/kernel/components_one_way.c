/* A usual mistake: labels go from the first vertex of an edge to the second one only. */
#include "components.h"

void components(int n, int m, const int *from, const int *to, int *label)
{
    for (int i = 0; i < n; i++)
        label[i] = i;
    for (int changed = 1; changed;) {
        changed = 0;
        for (int e = 0; e < m; e++)
            if (label[from[e]] < label[to[e]]) {
                label[to[e]] = label[from[e]];
                changed = 1;
            }
    }
}
