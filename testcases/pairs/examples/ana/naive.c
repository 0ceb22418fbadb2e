/* ana: the mean is taken off in the product. */
#include "pairs.h"

#include <math.h>

static double mean(int nx, const double *row)
{
    double sum = 0;
    for (int x = 0; x < nx; x++)
        sum += row[x];
    return sum / nx;
}

void pairs(int ny, int nx, const double *data, double *result)
{
    for (long i = 0; i < ny; i++)
        for (long j = 0; j <= i; j++) {
            const double *a = data + i * nx, *b = data + j * nx;
            const double p = mean(nx, a), q = mean(nx, b);
            double ab = 0, aa = 0, bb = 0;
            for (int x = 0; x < nx; x++) {
                ab += (a[x] - p) * (b[x] - q);
                aa += (a[x] - p) * (a[x] - p);
                bb += (b[x] - q) * (b[x] - q);
            }
            result[i * ny + j] = aa > 0 && bb > 0 ? ab / sqrt(aa) / sqrt(bb) : 0;
        }
}
