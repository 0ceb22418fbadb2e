/* ana: each thread counts for itself, and adds its counts to the result one by one. */
#include "histogram.h"

void histogram(int n, const uint8_t *x, int64_t *bins)
{
    for (int v = 0; v < 256; v++)
        bins[v] = 0;
#pragma omp parallel
    {
        int64_t own[256] = {0};
#pragma omp for nowait
        for (int i = 0; i < n; i++)
            own[x[i]]++;
        for (int v = 0; v < 256; v++)
#pragma omp atomic
            bins[v] += own[v];
    }
}
