/* The second source: each point gives a quarter to its neighbours. */
#include "heat.h"

#include <stdlib.h>

static int inside(int h, int w, int y, int x)
{
    return y > 0 && y < h - 1 && x > 0 && x < w - 1;
}

void heat(int h, int w, int steps, double *u)
{
    static const int down[] = {0, 0, 1, -1}, right[] = {1, -1, 0, 0};
    const long n = (long)h * w;
    double *next = malloc((size_t)n * sizeof *next);
    if (!next)
        abort();
    for (int s = 0; s < steps; s++) {
        for (long p = 0; p < n; p++)
            next[p] = inside(h, w, (int)(p / w), (int)(p % w)) ? 0 : u[p];
        for (long p = 0; p < n; p++)
            for (int k = 0; k < 4; k++) {
                const int y = (int)(p / w) + down[k], x = (int)(p % w) + right[k];
                if (inside(h, w, y, x))
                    next[(long)y * w + x] += u[p] * 0.25;
            }
        for (long p = 0; p < n; p++)
            u[p] = next[p];
    }
    free(next);
}
