/* The trusted source: as simple as possible. */
#include "dot.h"

double dot_f64(int n, const double *x, const double *y)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += x[i] * y[i];
    return sum;
}

float dot_f32(int n, const float *x, const float *y)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += (double)x[i] * (double)y[i];
    return (float)sum;
}
