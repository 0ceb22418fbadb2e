/*
 * openacc: the definition, and one directive: the points are dealt out to gangs and vectors,
 * neighbours in a row to neighbouring lanes.
 *
 * build  gcc -std=c11 -O3 -fopenacc -DPARAGRADE_OPENACC -fPIC -shared
 *            -I<abi> -o openacc.so openacc.c
 *        (for a device also: -foffload=nvptx-none
 *            -foffload-options=nvptx-none=-misa=sm_80)
 *
 * run    paragrade check -a testcases/stencil/assignment.yaml
 *            --tier openacc testcases/stencil/reference
 */
#include "stencil5.h"

#include <stddef.h>

void stencil5_f64_acc(int M, int N, const double *in, double *out)
{
    const size_t m = (size_t)M, n = (size_t)N;
#pragma acc parallel loop gang vector collapse(2) present(in [0:m * n], out [0:m * n])
    for (size_t i = 0; i < m; i++) {
        for (size_t j = 0; j < n; j++) {
            const size_t at = i * n + j;
            double sum = -4 * in[at];
            sum += i > 0 ? in[at - n] : 0;
            sum += i + 1 < m ? in[at + n] : 0;
            sum += j > 0 ? in[at - 1] : 0;
            sum += j + 1 < n ? in[at + 1] : 0;
            out[at] = sum;
        }
    }
}
