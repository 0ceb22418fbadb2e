/* A usual mistake: outside the grid, the nearest point inside counts. */
#include "stencil5.h"

void stencil5_f64(int M, int N, const double *in, double *out)
{
    const long m = M, n = N;
    for (long i = 0; i < m; i++)
        for (long j = 0; j < n; j++) {
            const double *x = in + i * n + j;
            const double up = x[i > 0 ? -n : 0], down = x[i + 1 < m ? n : 0];
            const double left = x[j > 0 ? -1 : 0], right = x[j + 1 < n ? 1 : 0];
            out[i * n + j] = up + down + left + right - 4 * x[0];
        }
}
