/* The trusted source: the definition. */
#include "stencil5.h"

void stencil5_f64(int M, int N, const double *in, double *out)
{
    const long m = M, n = N;
    for (long i = 0; i < m; i++)
        for (long j = 0; j < n; j++) {
            const double *x = in + i * n + j;
            const double up = i > 0 ? x[-n] : 0, down = i + 1 < m ? x[n] : 0;
            const double left = j > 0 ? x[-1] : 0, right = j + 1 < n ? x[1] : 0;
            out[i * n + j] = up + down + left + right - 4 * x[0];
        }
}
