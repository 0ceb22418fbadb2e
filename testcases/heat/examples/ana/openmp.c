/* ana: each thread copies its rows back, after all have computed. */
#include "heat.h"

#include <stdlib.h>
#include <string.h>

void heat(int h, int w, int steps, double *u)
{
    double *next = malloc((size_t)h * (size_t)w * sizeof *next);
#pragma omp parallel
    for (int s = 0; s < steps; s++) {
#pragma omp for
        for (long y = 1; y < h - 1; y++)
            for (long x = 1; x < w - 1; x++)
                next[y * w + x] = 0.25 * (u[(y - 1) * w + x] + u[(y + 1) * w + x]) +
                                  0.25 * (u[y * w + x - 1] + u[y * w + x + 1]);
#pragma omp for
        for (long y = 1; y < h - 1; y++)
            if (w > 2)
                memcpy(u + y * w + 1, next + y * w + 1, (size_t)(w - 2) * sizeof *u);
    }
    free(next);
}
