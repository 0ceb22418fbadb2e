/* The second source: each pair once, from the last body to the first. */
#include "nbody.h"

#include <math.h>
#include <stdlib.h>

void nbody(int n, double dt, const double *m, double *x, double *y, double *z, double *u, double *v,
           double *w)
{
    double *a = calloc(3 * (size_t)n, sizeof *a);
    if (!a)
        abort();
    for (int i = n - 1; i >= 0; i--)
        for (int j = i - 1; j >= 0; j--) {
            const double d[] = {x[j] - x[i], y[j] - y[i], z[j] - z[i]};
            const double r = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2] + 0.0001);
            const double pull = 1 / (r * r * r);
            for (int k = 0; k < 3; k++) {
                a[3L * i + k] += m[j] * (pull * d[k]);
                a[3L * j + k] -= m[i] * (pull * d[k]);
            }
        }
    for (int i = 0; i < n; i++) {
        u[i] += dt * a[3L * i];
        v[i] += dt * a[3L * i + 1];
        w[i] += dt * a[3L * i + 2];
        x[i] += dt * u[i];
        y[i] += dt * v[i];
        z[i] += dt * w[i];
    }
    free(a);
}
