/* naive.c - one sum, in order. */
#include "dot.h"

double dot_f64(int n, const double *x, const double *y)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += x[i] * y[i];
    return sum;
}
