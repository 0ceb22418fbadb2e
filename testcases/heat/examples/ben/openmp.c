/* ben: threads do not wait for each other between two steps. */
#include "heat.h"

#include <stdlib.h>
#include <string.h>

static void row(int w, const double *restrict above, const double *restrict here,
                const double *restrict below, double *restrict to)
{
    for (int x = 1; x < w - 1; x++)
        to[x] = (above[x] + below[x] + here[x - 1] + here[x + 1]) * 0.25;
}

void heat(int h, int w, int steps, double *u)
{
    const size_t bytes = (size_t)h * (size_t)w * sizeof *u;
    double *other = malloc(bytes);
    memcpy(other, u, bytes);
#pragma omp parallel
    for (int s = 0; s < steps; s++) {
        const double *from = s % 2 ? other : u;
        double *to = s % 2 ? u : other;
#pragma omp for schedule(static) nowait
        for (int y = 1; y < h - 1; y++)
            row(w, from + (long)(y - 1) * w, from + (long)y * w, from + (long)(y + 1) * w,
                to + (long)y * w);
    }
    if (steps % 2)
        memcpy(u, other, bytes);
    free(other);
}
