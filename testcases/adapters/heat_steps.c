/* Interface: heat(int rows, int columns, double *u, double c, int steps): several time steps.
 * Lines: kernel: ../stencil/kernel/stencil5.yaml, type: f64
 *        compile: gcc ... -I{abi} -o {out} {src}
 *
 * A step is u += c (sum of the four neighbours - 4 u), in place. The outermost points never change.
 */
#include "stencil5.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#if __has_include("adapter_names.h")
#include "adapter_names.h"
#endif

void heat(int rows, int columns, double *u, double c, int steps);

/* A power of two, so that c times a number is exact. With steps of 1/4, a step is the mean of the
 * neighbours (Jacobi's method). */
static const double c = 0.25;

/* Small fields, which are never timed, are computed with several steps. */
enum { SMALL = 4096, STEPS = 3 };

static double *new_field(size_t points)
{
    double *u = calloc(points, sizeof *u);
    if (!u)
        abort();
    return u;
}

/* Of point (i, j) of the grader's field, which has zeros around it: here, these are points. */
static size_t inside(int N, int i, int j)
{
    return (size_t)(i + 1) * (size_t)(N + 2) + (size_t)(j + 1);
}

static double *field_around(int M, int N, const double *in)
{
    double *u = new_field((size_t)(M + 2) * (size_t)(N + 2));
    for (int i = 0; i < M; i++)
        memcpy(u + inside(N, i, 0), in + (size_t)i * (size_t)N, (size_t)N * sizeof *u);
    return u;
}

/* The sum of the neighbours - 4 u, for each point. */
static void difference(int M, int N, const double *u, double *out)
{
    const ptrdiff_t width = N + 2;
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++) {
            const double *p = u + inside(N, i, j);
            *out++ = p[-width] + p[width] + p[-1] + p[1] - 4 * *p;
        }
}

/* out += (u - before) / c */
static void add_change(int M, int N, const double *before, const double *u, double *out)
{
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++)
            *out++ += (u[inside(N, i, j)] - before[inside(N, i, j)]) / c;
}

/* The grader asks for one step: out = (u after it - u before it) / c. For several steps, the answer
 * is what this file computes itself, plus what is wrong with the student's field. */
void stencil5_f64(int M, int N, const double *in, double *out)
{
    const size_t points = (size_t)M * (size_t)N;
    const int steps = points <= SMALL ? STEPS : 1;
    double *theirs = field_around(M, N, in), *ours = field_around(M, N, in);
    heat(M + 2, N + 2, theirs, c, steps);
    if (steps == 1) {
        memset(out, 0, points * sizeof *out);
    } else {
        double *change = new_field(points);
        difference(M, N, ours, out);
        for (int step = 0; step < steps; step++) {
            difference(M, N, ours, change);
            for (int i = 0; i < M; i++)
                for (int j = 0; j < N; j++)
                    ours[inside(N, i, j)] += c * change[(size_t)i * (size_t)N + (size_t)j];
        }
        free(change);
    }
    add_change(M, N, ours, theirs, out);
    free(theirs);
    free(ours);
}
