/* cleo: the sum is a float. */
#include "dot.h"

double dot_f64(int n, const double *x, const double *y)
{
    float sum = 0;
    for (int i = 0; i < n; i++)
        sum += (float)(x[i] * y[i]);
    return sum;
}
