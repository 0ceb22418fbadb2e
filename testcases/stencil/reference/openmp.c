/*
 * openmp: each thread has a block of rows, four points at a time as in simd.
 *
 * build  gcc -std=c11 -O3 -mavx2 -mfma -fopenmp -fPIC -shared -I<abi> -o openmp.so openmp.c
 * run    paragrade check -a testcases/stencil/assignment.yaml -t openmp testcases/stencil/reference
 */
#include <omp.h>

#include "row.h"
#include "stencil5.h"

void stencil5_f64(int M, int N, const double *in, double *out)
{
#pragma omp parallel
    {
        const long long threads = omp_get_num_threads(), t = omp_get_thread_num();
        stencil5_rows((int)(M * t / threads), (int)(M * (t + 1) / threads), M, N, in, out);
    }
}
