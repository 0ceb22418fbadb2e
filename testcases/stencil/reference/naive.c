/*
 * naive: the definition.
 *
 * build  gcc -std=c11 -O2 -fPIC -shared -I<abi> -o naive.so naive.c
 * run    paragrade check -a testcases/stencil/assignment.yaml -t naive testcases/stencil/reference
 */
#include "stencil5.h"

#include <stddef.h>

void stencil5_f64(int M, int N, const double *in, double *out)
{
    for (int i = 0; i < M; i++) {
        for (int j = 0; j < N; j++) {
            const double *x = in + (size_t)i * (size_t)N + j;
            double sum = -4 * x[0];
            if (i > 0)
                sum += x[-(ptrdiff_t)N];
            if (i + 1 < M)
                sum += x[N];
            if (j > 0)
                sum += x[-1];
            if (j + 1 < N)
                sum += x[1];
            out[(size_t)i * (size_t)N + (size_t)j] = sum;
        }
    }
}
