/* simd.c - four tables, so that equal neighbours do not wait for each other. */
#include "histogram.h"

void histogram(int n, const uint8_t *x, int64_t *bins)
{
    int32_t part[4][256] = {{0}};
    int i = 0;
    for (; i + 4 <= n; i += 4)
        for (int k = 0; k < 4; k++)
            part[k][x[i + k]]++;
    for (; i < n; i++)
        part[0][x[i]]++;
    for (int v = 0; v < 256; v++)
        bins[v] = (int64_t)part[0][v] + part[1][v] + part[2][v] + part[3][v];
}
