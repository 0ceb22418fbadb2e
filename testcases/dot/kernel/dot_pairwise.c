/* The second source: the same sum in another order, by halves. */
#include "dot.h"

double dot_f64(int n, const double *x, const double *y)
{
    const int half = n / 2;
    return n == 1 ? x[0] * y[0] : dot_f64(half, x, y) + dot_f64(n - half, x + half, y + half);
}

float dot_f32(int n, const float *x, const float *y)
{
    const int half = n / 2;
    return n == 1 ? x[0] * y[0] : dot_f32(half, x, y) + dot_f32(n - half, x + half, y + half);
}
