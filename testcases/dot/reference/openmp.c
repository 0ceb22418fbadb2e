/* openmp.c - each thread has a sum of its own. A short vector is not worth waking threads. */
#include "dot.h"

double dot_f64(int n, const double *x, const double *y)
{
    double sum = 0;
#pragma omp parallel for simd reduction(+ : sum) if (n > 20000)
    for (int i = 0; i < n; i++)
        sum += x[i] * y[i];
    return sum;
}
