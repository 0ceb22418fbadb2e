/*
 * spmm_csr.c - Y = A X with A in compressed sparse rows: the entries of row i are those from
 * row_start[i] to row_start[i + 1] - 1.
 */
#include "kernel/spmm.h"

enum { ROW_START, COL, VAL, X };

static struct spmm inputs(struct shape s, const void *const in[])
{
    return (struct spmm){.rows = s.dim[SPMM_M],
                         .cols = s.dim[SPMM_N],
                         .k = s.dim[SPMM_K],
                         .row_start = in[ROW_START],
                         .col = in[COL],
                         .val = in[VAL],
                         .x = in[X]};
}

static void fill_row_start(struct shape s, uint64_t seed, int *row_start)
{
    struct rotation r;
    const struct sparse *a = spmm_structure(s, seed, &r);
    row_start[0] = 0;
    for (int i = 0; i < a->rows; i++)
        row_start[i + 1] = row_start[i] + sparse_row_entries(a, r, i);
}

static void fill_col(struct shape s, uint64_t seed, int *col)
{
    struct rotation r;
    const struct sparse *a = spmm_structure(s, seed, &r);
    for (int i = 0; i < a->rows; i++)
        col += sparse_row(a, r, i, col);
}

static void generate(const struct kernel *k, struct shape s, enum value_dist values, uint64_t seed,
                     int i, void *dst)
{
    (void)k;
    struct spmm_source val = spmm_source(s, values, seed, false);
    if (i == ROW_START)
        fill_row_start(s, seed, dst);
    else if (i == COL)
        fill_col(s, seed, dst);
    else if (i == VAL)
        spmm_fill(&val, 0, (uint32_t)shape_extent(s, SPMM_NNZ), dst);
    else
        spmm_fill_x(s, values, seed, dst);
}

static void expect(struct shape s, const void *const in[], void *out)
{
    const struct spmm a = inputs(s, in);
    spmm_expect(&a, out);
}

static void scale(struct shape s, const void *const in[], double *row, double *col)
{
    const struct spmm a = inputs(s, in);
    spmm_scale(&a, row, col);
}

static bool certify(const struct comparison *c, uint64_t seed)
{
    const struct spmm a = inputs(c->shape, c->in);
    return spmm_certify(&a, c, seed);
}

static const char *explain(const struct comparison *c, const unsigned char *facts)
{
    const struct spmm a = inputs(c->shape, c->in);
    return spmm_explain(&a, c, facts);
}

/* A is read once. Of X, the longest row alone needs as many rows. */
static double least_bytes(struct shape s)
{
    const double m = s.dim[SPMM_M], k = s.dim[SPMM_K];
    return 4 * (m + 1) + 12.0 * shape_extent(s, SPMM_NNZ) +
           8 * k * (m + shape_extent(s, SPMM_WIDTH));
}

const struct kernel kernel_spmm_csr_f64 = {
    SPMM_DATA,
    .name = "spmm_csr",
    .function = "spmm_csr_f64",
    .derived_argument = SPMM_NNZ,
    .inputs = 4,
    .in = {{"row_start", TYPE_I32, SPMM_M, EXTENT_ONE, 1},
           {"col", TYPE_I32, SPMM_NNZ, EXTENT_ONE, 0},
           {"val", TYPE_F64, SPMM_NNZ, EXTENT_ONE, 0},
           SPMM_X},
    .generate = generate,
    .expect = expect,
    .scale = scale,
    .certify = certify,
    .least_bytes = least_bytes,
    .explain = explain,
};
