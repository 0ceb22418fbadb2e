/* ben: all threads add to one sum. */
#include "dot.h"

double dot_f64(int n, const double *x, const double *y)
{
    double sum = 0;
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        sum += x[i] * y[i];
    return sum;
}
