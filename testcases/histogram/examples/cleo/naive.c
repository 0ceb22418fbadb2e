/* cleo: 255 is not counted. */
#include "histogram.h"

void histogram(int n, const uint8_t *x, int64_t *bins)
{
    for (int v = 0; v < 256; v++)
        bins[v] = 0;
    for (int i = 0; i < n; i++)
        if (x[i] < 255)
            bins[x[i]]++;
}
