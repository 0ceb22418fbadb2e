/* ana: one parallel region; bodies move when all threads have the new velocities. */
#include "nbody.h"

#include <math.h>

void nbody(int n, double dt, const double *m, double *x, double *y, double *z, double *u, double *v,
           double *w)
{
#pragma omp parallel
    {
#pragma omp for
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                const double a = x[j] - x[i], b = y[j] - y[i], c = z[j] - z[i];
                const double s = 1 / sqrt(a * a + b * b + c * c + 0.0001),
                             pull = dt * m[j] * s * s * s;
                u[i] += pull * a;
                v[i] += pull * b;
                w[i] += pull * c;
            }
#pragma omp for
        for (int i = 0; i < n; i++) {
            x[i] += dt * u[i];
            y[i] += dt * v[i];
            z[i] += dt * w[i];
        }
    }
}
