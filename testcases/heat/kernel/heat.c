/* The trusted source: each step goes to another array, and back. */
#include "heat.h"

#include <stdlib.h>
#include <string.h>

void heat(int h, int w, int steps, double *u)
{
    const size_t bytes = (size_t)h * (size_t)w * sizeof *u;
    double *next = malloc(bytes);
    if (!next)
        abort();
    memcpy(next, u, bytes);
    for (int s = 0; s < steps; s++) {
        for (long y = 1; y < h - 1; y++)
            for (long x = 1; x < w - 1; x++)
                next[y * w + x] = (u[(y - 1) * w + x] + u[(y + 1) * w + x] + u[y * w + x - 1] +
                                   u[y * w + x + 1]) /
                                  4;
        memcpy(u, next, bytes);
    }
    free(next);
}
