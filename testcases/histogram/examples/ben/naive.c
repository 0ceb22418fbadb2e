/* naive.c - one count for each value. */
#include "histogram.h"

void histogram(int n, const uint8_t *x, int64_t *bins)
{
    for (int v = 0; v < 256; v++)
        bins[v] = 0;
    for (int i = 0; i < n; i++)
        bins[x[i]]++;
}
