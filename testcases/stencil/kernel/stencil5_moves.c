/* The second source: each point moves to its four neighbours. */
#include "stencil5.h"

void stencil5_f64(int M, int N, const double *in, double *out)
{
    const long n = (long)M * N;
    for (long p = 0; p < n; p++)
        out[p] = -4 * in[p];
    for (long p = 0; p < n; p++) {
        if (p >= N)
            out[p - N] += in[p];
        if (p + N < n)
            out[p + N] += in[p];
        if (p % N > 0)
            out[p - 1] += in[p];
        if (p % N + 1 < N)
            out[p + 1] += in[p];
    }
}
