/* cleo: two rounds over the edges are not always enough. */
#include "components.h"

void components(int n, int m, const int *from, const int *to, int *label)
{
    for (int i = 0; i < n; i++)
        label[i] = i;
    for (int round = 0; round < 2; round++)
        for (int e = 0; e < m; e++) {
            const int least = label[from[e]] < label[to[e]] ? label[from[e]] : label[to[e]];
            label[from[e]] = label[to[e]] = least;
        }
}
