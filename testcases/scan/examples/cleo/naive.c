/* cleo: exclusive sums, not inclusive ones. */
#include "scan.h"

void scan_f64(int n, const double *x, double *y)
{
    double sum = 0;
    for (int i = 0; i < n; i++) {
        y[i] = sum;
        sum += x[i];
    }
}
