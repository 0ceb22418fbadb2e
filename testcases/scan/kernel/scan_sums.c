/* The second source: sums of blocks first, then the sums inside of each block. */
#include "scan.h"

enum { BLOCK = 64 };

void scan_f64(int n, const double *x, double *y)
{
    double before = 0;
    for (int start = 0; start < n; start += BLOCK) {
        const int end = n - start < BLOCK ? n : start + BLOCK;
        double sum = 0;
        for (int i = end - 1; i >= start; i--)
            sum += x[i];
        double left = before + sum;
        before = left;
        for (int i = end - 1; i >= start; i--) {
            y[i] = left;
            left -= x[i];
        }
    }
}
