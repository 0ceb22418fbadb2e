/* norm.h - a row of mean 0 and length 1: then the product of two rows is their correlation. */
#ifndef NORM_H
#define NORM_H

#include <math.h>

static void norm(int nx, const double *from, double *to)
{
    double sum = 0, squares = 0;
    for (int x = 0; x < nx; x++)
        sum += from[x];
    for (int x = 0; x < nx; x++) {
        to[x] = from[x] - sum / nx;
        squares += to[x] * to[x];
    }
    const double scale = squares > 0 ? 1 / sqrt(squares) : 0;
    for (int x = 0; x < nx; x++)
        to[x] *= scale;
}

#endif
