/* A usual mistake: a body moves before the forces on the next one are computed. */
#include "nbody.h"

#include <math.h>

void nbody(int n, double dt, const double *m, double *x, double *y, double *z, double *u, double *v,
           double *w)
{
    for (int i = 0; i < n; i++) {
        double ax = 0, ay = 0, az = 0;
        for (int j = 0; j < n; j++) {
            const double dx = x[j] - x[i], dy = y[j] - y[i], dz = z[j] - z[i];
            const double d = dx * dx + dy * dy + dz * dz + 0.0001, f = m[j] / (d * sqrt(d));
            ax += f * dx;
            ay += f * dy;
            az += f * dz;
        }
        u[i] += dt * ax;
        v[i] += dt * ay;
        w[i] += dt * az;
        x[i] += dt * u[i];
        y[i] += dt * v[i];
        z[i] += dt * w[i];
    }
}
