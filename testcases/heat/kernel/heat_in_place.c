/* A usual mistake: one array, so that points above and to the left are those after the step. */
#include "heat.h"

void heat(int h, int w, int steps, double *u)
{
    for (int s = 0; s < steps; s++)
        for (long y = 1; y < h - 1; y++)
            for (long x = 1; x < w - 1; x++)
                u[y * w + x] = (u[(y - 1) * w + x] + u[(y + 1) * w + x] + u[y * w + x - 1] +
                                u[y * w + x + 1]) /
                               4;
}
