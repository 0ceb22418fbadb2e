/* row.h - one row of the stencil, for the tiers of the host. */
#ifndef STENCIL5_ROW_H
#define STENCIL5_ROW_H

#include <immintrin.h>
#include <stddef.h>
#include <stdint.h>

/* Larger outputs do not stay in a cache. They are written past the caches, so that the memory need
 * not be read before. */
enum { STENCIL5_STREAM = 8 << 20 };

static inline double stencil5_point(const double *up, const double *x, const double *down,
                                    ptrdiff_t j, ptrdiff_t n)
{
    double sum = -4 * x[j];
    sum += up ? up[j] : 0;
    sum += down ? down[j] : 0;
    sum += j > 0 ? x[j - 1] : 0;
    sum += j + 1 < n ? x[j + 1] : 0;
    return sum;
}

static inline __m256d stencil5_four(const double *up, const double *x, const double *down)
{
    const __m256d vertical = _mm256_add_pd(_mm256_loadu_pd(up), _mm256_loadu_pd(down));
    const __m256d horizontal = _mm256_add_pd(_mm256_loadu_pd(x - 1), _mm256_loadu_pd(x + 1));
    return _mm256_fnmadd_pd(_mm256_set1_pd(4), _mm256_loadu_pd(x),
                            _mm256_add_pd(vertical, horizontal));
}

/* A row of n points and the rows above and below it; NULL: there is none. */
static inline void stencil5_row(ptrdiff_t n, const double *up, const double *x, const double *down,
                                double *out, int stream)
{
    ptrdiff_t j = 0;
    /* The first point has no left neighbour; streaming stores must be aligned. */
    while (j < n && (j == 0 || (uintptr_t)(out + j) % sizeof(__m256d) || !up || !down)) {
        out[j] = stencil5_point(up, x, down, j, n);
        j++;
    }
    if (stream)
        for (; j + 4 < n; j += 4)
            _mm256_stream_pd(out + j, stencil5_four(up + j, x + j, down + j));
    else
        for (; j + 4 < n; j += 4)
            _mm256_store_pd(out + j, stencil5_four(up + j, x + j, down + j));
    for (; j < n; j++)
        out[j] = stencil5_point(up, x, down, j, n);
}

/* Rows from..to-1 of a grid of `rows` x n points. */
static inline void stencil5_rows(int from, int to, int rows, int n, const double *in, double *out)
{
    const size_t N = (size_t)n;
    const int stream = (size_t)rows * N * sizeof *out > STENCIL5_STREAM;
    for (int i = from; i < to; i++) {
        const double *x = in + (size_t)i * N;
        stencil5_row(n, i > 0 ? x - N : NULL, x, i + 1 < rows ? x + N : NULL, out + (size_t)i * N,
                     stream);
    }
    if (stream)
        _mm_sfence();
}

#endif
