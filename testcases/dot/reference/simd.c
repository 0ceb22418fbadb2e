/* simd.c - sixteen sums side by side, so that no addition waits for the one before it. */
#include "dot.h"

double dot_f64(int n, const double *x, const double *y)
{
    double part[16] = {0}, sum = 0;
    int i = 0;
    for (; i + 16 <= n; i += 16)
        for (int k = 0; k < 16; k++)
            part[k] += x[i + k] * y[i + k];
    for (; i < n; i++)
        sum += x[i] * y[i];
    for (int k = 0; k < 16; k++)
        sum += part[k];
    return sum;
}
