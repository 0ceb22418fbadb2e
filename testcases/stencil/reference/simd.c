/*
 * simd: four points at a time (AVX2). The stencil moves at least 16 bytes of memory for 5
 * operations, so a large grid is limited by the memory: its results are written past the caches.
 *
 * build  gcc -std=c11 -O3 -mavx2 -mfma -fPIC -shared -I<abi> -o simd.so simd.c
 * run    paragrade check -a testcases/stencil/assignment.yaml -t simd testcases/stencil/reference
 */
#include "row.h"
#include "stencil5.h"

void stencil5_f64(int M, int N, const double *in, double *out)
{
    stencil5_rows(0, M, M, N, in, out);
}
