/* A usual mistake: bodies move with the velocities before the step. */
#include "nbody.h"

#include <math.h>
#include <stdlib.h>

/* The sum of one coordinate. */
static double pull(int n, int i, const double *m, const double *x, const double *y, const double *z,
                   const double *along)
{
    double a = 0;
    for (int j = 0; j < n; j++) {
        const double dx = x[j] - x[i], dy = y[j] - y[i], dz = z[j] - z[i];
        const double d = dx * dx + dy * dy + dz * dz + 0.0001;
        a += m[j] / (d * sqrt(d)) * (along[j] - along[i]);
    }
    return a;
}

static void move(int n, double dt, double *p, double *velocity, const double *a)
{
    for (int i = 0; i < n; i++) {
        p[i] += dt * velocity[i];
        velocity[i] += dt * a[i];
    }
}

void nbody(int n, double dt, const double *m, double *x, double *y, double *z, double *u, double *v,
           double *w)
{
    double *a = malloc((size_t)n * 3 * sizeof *a);
    if (!a)
        abort();
    for (int i = 0; i < n; i++) {
        a[i] = pull(n, i, m, x, y, z, x);
        a[n + i] = pull(n, i, m, x, y, z, y);
        a[2 * (long)n + i] = pull(n, i, m, x, y, z, z);
    }
    move(n, dt, x, u, a);
    move(n, dt, y, v, a + n);
    move(n, dt, z, w, a + 2 * (long)n);
    free(a);
}
