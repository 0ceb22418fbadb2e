/* openmp.c - each thread has tables of its own, which are added at the end. */
#include "histogram.h"

void histogram(int n, const uint8_t *x, int64_t *bins)
{
    int32_t sum[256] = {0};
#pragma omp parallel for reduction(+ : sum) if (n > 20000)
    for (int i = 0; i < n; i++)
        sum[x[i]]++;
    for (int v = 0; v < 256; v++)
        bins[v] = sum[v];
}
