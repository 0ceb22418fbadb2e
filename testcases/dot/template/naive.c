#include "dot.h"

double dot_f64(int n, const double *x, const double *y)
{
    (void)n, (void)x, (void)y;
    return 0; /* write your code here */
}
