/* ana: labels go along edges; each round is one loop, and the smallest label wins. */
#include "components.h"

void components(int n, int m, const int *from, const int *to, int *label)
{
    for (int i = 0; i < n; i++)
        label[i] = i;
    for (int changed = 1; changed;) {
        changed = 0;
#pragma omp parallel for reduction(| : changed)
        for (int e = 0; e < m; e++) {
            int a, b;
#pragma omp atomic read
            a = label[from[e]];
#pragma omp atomic read
            b = label[to[e]];
            if (a == b)
                continue;
#pragma omp critical
            {
                const int at = a > b ? from[e] : to[e], least = a > b ? b : a;
                if (label[at] > least) {
#pragma omp atomic write
                    label[at] = least;
                }
            }
            changed = 1;
        }
    }
}
