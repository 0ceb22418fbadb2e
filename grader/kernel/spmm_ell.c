/*
 * spmm_ell.c - Y = A X with A in ELLPACK: every row has `width` entries, as many as the longest row
 * needs. The padding behind the others has the value 0, and the column of the last entry of its row
 * (0 in an empty row).
 */

#include "base/strbuf.h"
#include "kernel/spmm.h"

enum { COL, VAL, X };

static struct spmm inputs(struct shape s, const void *const in[])
{
    return (struct spmm){.rows = s.dim[SPMM_M],
                         .cols = s.dim[SPMM_N],
                         .k = s.dim[SPMM_K],
                         .width = shape_extent(s, SPMM_WIDTH),
                         .col = in[COL],
                         .val = in[VAL],
                         .x = in[X]};
}

static void fill_col(struct shape s, uint64_t seed, int *col)
{
    struct rotation r;
    const struct sparse *a = spmm_structure(s, seed, &r);
    const int width = shape_extent(s, SPMM_WIDTH);
    for (int i = 0; i < a->rows; i++, col += width) {
        const int n = sparse_row(a, r, i, col), last = n ? col[n - 1] : 0;
        for (int e = n; e < width; e++)
            col[e] = last;
    }
}

static void fill_val(struct shape s, enum value_dist values, uint64_t seed, double *val)
{
    struct rotation r;
    const struct sparse *a = spmm_structure(s, seed, &r);
    struct spmm_source from = spmm_source(s, values, seed, false);
    const int width = shape_extent(s, SPMM_WIDTH);
    uint32_t first = 0;
    for (int i = 0; i < a->rows; i++, val += width) {
        const int n = sparse_row_entries(a, r, i);
        spmm_fill(&from, first, (uint32_t)n, val);
        for (int e = n; e < width; e++)
            val[e] = 0;
        first += (uint32_t)n;
    }
}

static void generate(const struct kernel *k, struct shape s, enum value_dist values, uint64_t seed,
                     int i, void *dst)
{
    (void)k;
    if (i == COL)
        fill_col(s, seed, dst);
    else if (i == VAL)
        fill_val(s, values, seed, dst);
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

/* --- mistakes --------------------------------------------------------------------------------- */

/* Where a kernel looks for entry e of row i. */
typedef size_t (*place_fn)(const struct spmm *a, const int *starts, int i, int e);

static size_t by_columns(const struct spmm *a, const int *starts, int i, int e)
{
    (void)starts;
    return (size_t)e * (size_t)a->rows + (size_t)i;
}

static size_t without_padding(const struct spmm *a, const int *starts, int i, int e)
{
    (void)a;
    return (size_t)starts[i] + (size_t)e;
}

static int entries_of(struct spmm_row r)
{
    int n = r.n;
    while (n && r.val[n - 1] == 0)
        n--;
    return n;
}

/* Is y what comes out if entries are looked for in that place? */
static bool comes_out(const struct spmm *a, place_fn place, const int *starts, const double *y)
{
    for (int i = 0; i < a->rows; i++) {
        const int n = starts ? starts[i + 1] - starts[i] : a->width;
        for (int j = 0; j < a->k; j++, y++) {
            double sum = 0;
            for (int e = 0; e < n; e++) {
                const size_t at = place(a, starts, i, e);
                sum += a->val[at] * a->x[(size_t)a->col[at] * (size_t)a->k + (size_t)j];
            }
            if (sum != *y)
                return false;
        }
    }
    return true;
}

static const char *explain(const struct comparison *c, const unsigned char *facts)
{
    const struct spmm a = inputs(c->shape, c->in);
    const char *known = spmm_explain(&a, c, facts);
    if (known || !value_dist_exact(c->values))
        return known;
    if (comes_out(&a, by_columns, NULL, c->got))
        return "this is what comes out if entry e of row i is read at e * M + i; it is at "
               "i * width + e";
    OWNED int *starts = xcalloc((size_t)a.rows + 1, sizeof *starts);
    for (int i = 0; i < a.rows; i++)
        starts[i + 1] = starts[i] + entries_of(spmm_row(&a, i));
    if (comes_out(&a, without_padding, starts, c->got))
        known = "this is what comes out if a row starts behind the nonzero entries of the row "
                "before, as in CSR; in ELLPACK, row i starts at i * width";
    return known;
}

/* A is read once, without the padding. Of X, the longest row alone needs as many rows. */
static double least_bytes(struct shape s)
{
    const double m = s.dim[SPMM_M], k = s.dim[SPMM_K];
    return 12.0 * shape_extent(s, SPMM_NNZ) + 8 * k * (m + shape_extent(s, SPMM_WIDTH));
}

const struct kernel kernel_spmm_ell_f64 = {
    SPMM_DATA,
    .name = "spmm_ell",
    .function = "spmm_ell_f64",
    .derived_argument = SPMM_WIDTH,
    .inputs = 3,
    .in = {{"col", TYPE_I32, SPMM_M, SPMM_WIDTH, 0},
           {"val", TYPE_F64, SPMM_M, SPMM_WIDTH, 0},
           SPMM_X},
    .generate = generate,
    .expect = expect,
    .scale = scale,
    .certify = certify,
    .least_bytes = least_bytes,
    .explain = explain,
};
