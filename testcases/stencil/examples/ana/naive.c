/* The neighbours are summed in another order than in the definition. */
#include "stencil5.h"

#include <stddef.h>

static double at(const double *in, int M, int N, int i, int j)
{
    return i < 0 || i >= M || j < 0 || j >= N ? 0 : in[(size_t)i * (size_t)N + (size_t)j];
}

void stencil5_f64(int M, int N, const double *in, double *out)
{
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++) {
            const double x = at(in, M, N, i, j);
            const double row = (at(in, M, N, i, j - 1) - x) + (at(in, M, N, i, j + 1) - x);
            const double col = (at(in, M, N, i - 1, j) - x) + (at(in, M, N, i + 1, j) - x);
            out[(size_t)i * (size_t)N + (size_t)j] = row + col;
        }
}
