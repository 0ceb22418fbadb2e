#include "scan.h"

void scan_f64(int n, const double *x, double *y)
{
    (void)n, (void)x, (void)y; /* write your code here */
}
