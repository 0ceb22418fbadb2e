/* ana: OpenMP has a scan of its own. */
#include "scan.h"

void scan_f64(int n, const double *x, double *y)
{
    double sum = 0;
#pragma omp parallel for reduction(inscan, + : sum)
    for (int i = 0; i < n; i++) {
        sum += x[i];
#pragma omp scan inclusive(sum)
        y[i] = sum;
    }
}
