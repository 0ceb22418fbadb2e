/* Subtly wrong: the sum is kept in a float. */
#include "stencil5.h"

#include <stddef.h>

void stencil5_f64(int M, int N, const double *in, double *out)
{
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++) {
            const double *x = in + (size_t)i * (size_t)N + j;
            float sum = (float)(-4 * x[0]);
            sum += (float)(i > 0 ? x[-(ptrdiff_t)N] : 0);
            sum += (float)(i + 1 < M ? x[N] : 0);
            sum += (float)(j > 0 ? x[-1] : 0);
            sum += (float)(j + 1 < N ? x[1] : 0);
            out[(size_t)i * (size_t)N + (size_t)j] = (double)sum;
        }
}
