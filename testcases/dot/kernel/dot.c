/* The trusted source: as simple as possible. Each form computes with its own type: from the
 * rounding of this sum follows how far others may be off, and with doubles there would be none in
 * floats. */
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
    float sum = 0;
    for (int i = 0; i < n; i++)
        sum += x[i] * y[i];
    return sum;
}
