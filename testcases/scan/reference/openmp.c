/* openmp.c - each thread sums its part; then it knows what comes before, and goes through it again.
 */
#include "scan.h"

#include <omp.h>

enum { THREADS_MOST = 256 };

void scan_f64(int n, const double *x, double *y)
{
    double total[THREADS_MOST + 1] = {0};
#pragma omp parallel num_threads(                                                                  \
    omp_get_max_threads() < THREADS_MOST ? omp_get_max_threads() : THREADS_MOST) if (n > 20000)
    {
        const int t = omp_get_thread_num(), threads = omp_get_num_threads();
        const int first = (int)((long long)n * t / threads),
                  end = (int)((long long)n * (t + 1) / threads);
        double sum = 0;
        for (int i = first; i < end; i++)
            sum += x[i];
        total[t + 1] = sum;
#pragma omp barrier
        sum = 0;
        for (int k = 0; k <= t; k++)
            sum += total[k];
        for (int i = first; i < end; i++)
            y[i] = sum += x[i];
    }
}
