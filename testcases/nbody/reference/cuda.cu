/* cuda.cu - a thread for each body; blocks read the others in tiles. All velocities are there
 * before a body moves. */
#include "nbody.h"

enum { THREADS = 128 };

struct body {
    double x, y, z, mass;
};

static __global__ void pull(int n, double dt, const double *m, const double *x, const double *y,
                            const double *z, double *u, double *v, double *w)
{
    __shared__ body tile[THREADS];
    const int i = blockIdx.x * THREADS + threadIdx.x, own = min(i, n - 1);
    const double px = x[own], py = y[own], pz = z[own];
    double ax = 0, ay = 0, az = 0;
    for (int at = 0; at < n; at += THREADS) {
        const int other = at + threadIdx.x;
        __syncthreads();
        tile[threadIdx.x] =
            other < n ? body{x[other], y[other], z[other], m[other]} : body{0, 0, 0, 0};
        __syncthreads();
        for (int k = 0; k < THREADS; k++) {
            const double dx = tile[k].x - px, dy = tile[k].y - py, dz = tile[k].z - pz;
            const double d = dx * dx + dy * dy + dz * dz + 0.0001, f = tile[k].mass / (d * sqrt(d));
            ax += f * dx;
            ay += f * dy;
            az += f * dz;
        }
    }
    if (i < n) {
        u[i] += dt * ax;
        v[i] += dt * ay;
        w[i] += dt * az;
    }
}

static __global__ void move(int n, double dt, double *x, double *y, double *z, const double *u,
                            const double *v, const double *w)
{
    const int i = blockIdx.x * THREADS + threadIdx.x;
    if (i < n) {
        x[i] += dt * u[i];
        y[i] += dt * v[i];
        z[i] += dt * w[i];
    }
}

void nbody_cuda(int n, double dt, const double *m, double *x, double *y, double *z, double *u,
                double *v, double *w, cudaStream_t stream)
{
    const int blocks = (n + THREADS - 1) / THREADS;
    pull<<<blocks, THREADS, 0, stream>>>(n, dt, m, x, y, z, u, v, w);
    move<<<blocks, THREADS, 0, stream>>>(n, dt, x, y, z, u, v, w);
}
