/* ana: threads share the pairs, which are counted through. Rows get the mean 0; lengths divide at
 * the end. */
#include "pairs.h"

#include <math.h>
#include <stdlib.h>

static double product(int nx, const double *a, const double *b)
{
    double sum = 0;
#pragma omp simd reduction(+ : sum)
    for (int x = 0; x < nx; x++)
        sum += a[x] * b[x];
    return sum;
}

/* Pair p, in the order (0, 0), (1, 0), (1, 1), (2, 0), ... is in row i. */
static long row_of(long p)
{
    long i = (long)((sqrt(8.0 * (double)p + 1) - 1) / 2);
    while (i * (i + 1) / 2 > p)
        i--;
    while ((i + 1) * (i + 2) / 2 <= p)
        i++;
    return i;
}

void pairs(int ny, int nx, const double *data, double *result)
{
    double *far = malloc((size_t)ny * (size_t)nx * sizeof *far);
    double *length = malloc((size_t)ny * sizeof *length);
#pragma omp parallel for
    for (long i = 0; i < ny; i++) {
        double mean = 0;
        for (long x = 0; x < nx; x++)
            mean += data[i * nx + x];
        mean /= nx; /* exact for whole numbers: a row of the same ones has length 0 */
        for (long x = 0; x < nx; x++)
            far[i * nx + x] = data[i * nx + x] - mean;
        length[i] = sqrt(product(nx, far + i * nx, far + i * nx));
    }
#pragma omp parallel for schedule(guided)
    for (long p = 0; p < (long)ny * (ny + 1) / 2; p++) {
        const long i = row_of(p), j = p - i * (i + 1) / 2;
        const double both = length[i] * length[j];
        result[i * ny + j] = both > 0 ? product(nx, far + i * nx, far + j * nx) / both : 0;
    }
    free(far);
    free(length);
}
