/* cleo: four elements at a time; the last ones are not written. */
#include "scan.h"

void scan_f64(int n, const double *x, double *y)
{
    double sum = 0;
    for (int i = 0; i + 4 <= n; i += 4)
        for (int k = 0; k < 4; k++)
            y[i + k] = sum += x[i + k];
}
