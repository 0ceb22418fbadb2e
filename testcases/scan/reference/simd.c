/* simd.c - blocks of eight: sums inside a block do not wait for the block before it. */
#include "scan.h"

enum { WIDTH = 8 };

void scan_f64(int n, const double *x, double *y)
{
    double before = 0;
    int i = 0;
    for (; i + WIDTH <= n; i += WIDTH) {
        double a[WIDTH], b[WIDTH];
        for (int k = 0; k < WIDTH; k++)
            a[k] = x[i + k] + (k >= 1 ? x[i + k - 1] : 0);
        for (int k = 0; k < WIDTH; k++)
            b[k] = a[k] + (k >= 2 ? a[k - 2] : 0);
        for (int k = 0; k < WIDTH; k++)
            a[k] = b[k] + (k >= 4 ? b[k - 4] : 0);
        for (int k = 0; k < WIDTH; k++)
            y[i + k] = before + a[k];
        before += a[WIDTH - 1];
    }
    for (; i < n; i++)
        y[i] = before += x[i];
}
