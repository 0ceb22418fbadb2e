/* openmp.c - a sum for each thread. */
#include "dot.h"

double dot_f64(int n, const double *x, const double *y)
{
    double sum = 0;
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < n; i++)
        sum += x[i] * y[i];
    return sum;
}
