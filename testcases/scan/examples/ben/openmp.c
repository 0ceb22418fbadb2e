/* ben: the first element of each part is written before the thread knows what comes before it. */
#include "scan.h"

#include <omp.h>

void scan_f64(int n, const double *x, double *y)
{
    double total[257] = {0};
#pragma omp parallel
    {
        const int t = omp_get_thread_num(), threads = omp_get_num_threads();
        const int first = (int)((long long)n * t / threads),
                  end = (int)((long long)n * (t + 1) / threads);
        double sum = 0, before = 0;
        for (int i = first; i < end; i++)
            y[i] = sum += x[i];
        total[t + 1] = sum;
        for (int k = 0; k <= t; k++) /* a barrier is missing before this loop */
            before += total[k];
        for (int i = first; i < end; i++)
            y[i] += before;
    }
}
