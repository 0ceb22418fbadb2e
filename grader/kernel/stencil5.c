/*
 * stencil5.c - one step of a two-dimensional stencil of five points, in double: the discrete
 * Laplacian of a grid of M x N points,
 *
 *     out[i][j] = in[i-1][j] + in[i+1][j] + in[i][j-1] + in[i][j+1] - 4 in[i][j],
 *
 * where points outside the grid are zero.
 */
#include <math.h>

#include "kernel/kernel.h"
#include "kernel/random_stream.h"

enum { DIM_M, DIM_N };

/* Of whole numbers: no sum needs more than 33 bits, and a float has 24. */
enum { WHOLE_BITS = 30 };

/* Single points and lines, one less and one more than every usual width of vectors and blocks, so
 * few rows that some ranks have none, and a grid of 8 MiB: fast programs write such an output past
 * the caches, by a path of its own. */
static const struct shape edges[] = {
    {.dim = {1, 1}},     {.dim = {1, 2}},       {.dim = {2, 1}},    {.dim = {2, 2}},
    {.dim = {1, 17}},    {.dim = {17, 1}},      {.dim = {3, 3}},    {.dim = {3, 200}},
    {.dim = {200, 3}},   {.dim = {7, 8}},       {.dim = {8, 7}},    {.dim = {9, 9}},
    {.dim = {15, 16}},   {.dim = {16, 15}},     {.dim = {17, 17}},  {.dim = {31, 33}},
    {.dim = {33, 31}},   {.dim = {63, 64}},     {.dim = {65, 63}},  {.dim = {64, 64}},
    {.dim = {129, 127}}, {.dim = {5, 1000}},    {.dim = {1000, 5}}, {.dim = {1, 1000}},
    {.dim = {1000, 1}},  {.dim = {1031, 1021}},
};

static void generate(const struct kernel *k, struct shape s, enum value_dist values, uint64_t seed,
                     int i, void *dst)
{
    const uint32_t n = (uint32_t)operand_elements(&k->in[i], s);
    /* Of the word; its last bit is the sign. */
    const uint32_t zero_if = values == VALUES_SPARSE ? 14 : 0;
    double *x = dst;
    struct random_stream stream;
    random_stream_init(&stream, seed, i, 0);
    if (values == VALUES_UNIFORM) {
        random_uniform_f64(&stream, 0, n, x);
        return;
    }
    for (struct random_span p = {0}; random_span_next(&p, &stream, n);)
        for (uint32_t j = 0; j < p.count; j++)
            x[p.first + j] = p.word[j] & zero_if ? 0 : random_whole(p.word[j], WHOLE_BITS);
}

static void expect(struct shape s, const void *const in[], void *out)
{
    const size_t m = (size_t)s.dim[DIM_M], n = (size_t)s.dim[DIM_N];
    const double *x = in[0];
    double *y = out;
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j < n; j++) {
            const size_t at = i * n + j;
            const double up = i > 0 ? x[at - n] : 0, down = i + 1 < m ? x[at + n] : 0;
            const double left = j > 0 ? x[at - 1] : 0, right = j + 1 < n ? x[at + 1] : 0;
            y[at] = up + down + left + right - 4 * x[at];
        }
}

/* A bound on the sum of the four neighbours, anywhere in the grid. */
static void scale(struct shape s, const void *const in[], double *row, double *col)
{
    const size_t m = (size_t)s.dim[DIM_M], n = (size_t)s.dim[DIM_N];
    const double *x = in[0];
    double most = 0;
    for (size_t i = 0; i < m * n; i++)
        most = fmax(most, fabs(x[i]));
    for (size_t i = 0; i < m; i++)
        row[i] = 4 * most;
    for (size_t j = 0; j < n; j++)
        col[j] = 1;
}

static double operations(const struct kernel *k, struct shape s)
{
    (void)k;
    return 5.0 * s.dim[DIM_M] * s.dim[DIM_N];
}

static const enum value_dist values[] = {VALUES_BALANCED, VALUES_UNIFORM, VALUES_SPARSE};

const struct kernel kernel_stencil5_f64 = {
    .name = "stencil5",
    .problem = "stencil5",
    .type = TYPE_F64,
    .function = "stencil5_f64",
    .dims = 2,
    .dim_name = {"M", "N"},
    .inputs = 1,
    .in = {{"in", TYPE_F64, DIM_M, DIM_N}},
    .out = {"out", TYPE_F64, DIM_M, DIM_N},
    .edges = edges,
    .edges_count = sizeof edges / sizeof edges[0],
    .values = values,
    .values_count = sizeof values / sizeof values[0],
    .timed = VALUES_UNIFORM,
    .generate = generate,
    .expect = expect,
    .scale = scale,
    .operations = operations,
};
