/* The second source: the elements are looked through once for each bin. */
#include "histogram.h"

void histogram(int n, const uint8_t *x, int64_t *bins)
{
    for (int v = 0; v < 256; v++) {
        int64_t count = 0;
        for (int i = 0; i < n; i++)
            count += x[i] == v;
        bins[v] = count;
    }
}
