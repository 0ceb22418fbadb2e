/* ana: labels go along edges until none changes; the larger label is the name. */
#include "components.h"

void components(int n, int m, const int *from, const int *to, int *label)
{
    for (int i = 0; i < n; i++)
        label[i] = 3 * (i + 1);
    for (int changed = 1; changed;) {
        changed = 0;
        for (int e = 0; e < m; e++)
            if (label[from[e]] != label[to[e]]) {
                const int more = label[from[e]] > label[to[e]] ? label[from[e]] : label[to[e]];
                label[from[e]] = label[to[e]] = more;
                changed = 1;
            }
        for (int e = m - 1; e >= 0 && changed; e--) {
            const int more = label[from[e]] > label[to[e]] ? label[from[e]] : label[to[e]];
            label[from[e]] = label[to[e]] = more;
        }
    }
}
