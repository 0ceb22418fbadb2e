/* cleo: sums of products and of squares in one loop, which cancel where rows are far from 0. */
#include "pairs.h"

#include <math.h>

void pairs(int ny, int nx, const double *data, double *result)
{
    for (long i = 0; i < ny; i++)
        for (long j = 0; j <= i; j++) {
            const double *a = data + i * nx, *b = data + j * nx;
            double sa = 0, sb = 0, ab = 0, aa = 0, bb = 0;
            for (int x = 0; x < nx; x++) {
                sa += a[x];
                sb += b[x];
                ab += a[x] * b[x];
                aa += a[x] * a[x];
                bb += b[x] * b[x];
            }
            const double below = (nx * aa - sa * sa) * (nx * bb - sb * sb);
            result[i * ny + j] = below > 0 ? (nx * ab - sa * sb) / sqrt(below) : 0;
        }
}
