#include "kernel/spmm.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

#include "base/rng.h"
#include "base/strbuf.h"
#include "kernel/exact.h"
#include "kernel/pattern.h"

enum {
    BITS = 52, /* of a partial sum of exact values */
    WIDE = 27, /* of the wide factor: a float has 24 */
    SAMPLED_ROWS = 256,
};

/* Of random cases. */
const struct structure spmm_structures[] = {{.family = STRUCTURE_UNIFORM, .parameter = 5},
                                            {.family = STRUCTURE_RMAT, .parameter = 4},
                                            {.family = STRUCTURE_GAPS},
                                            {.family = STRUCTURE_BANDED, .parameter = 2}};

/* Single elements and lines, rows without entries at every place, rows of very different lengths,
 * more columns than rows and fewer, so few rows that some threads have none, and a K on both sides
 * of usual widths of vectors. */
const struct shape spmm_edges[] = {
#define EDGE(of_family, p, m, n, k)                                                                \
    {                                                                                              \
        .dim = {m, n, k}, .structure = {.family = STRUCTURE_##of_family, .parameter = (p) }        \
    }
    EDGE(UNIFORM, 1, 1, 1, 1),       EDGE(GAPS, 0, 8, 8, 1),
    EDGE(EMPTY, 0, 1, 1, 1),         EDGE(GAPS, 0, 40, 30, 8),
    EDGE(DENSE_ROW, 0, 33, 65, 4),   EDGE(ONE_COLUMN, 0, 17, 9, 3),
    EDGE(POISSON, 0, 9, 9, 1),       EDGE(UNIFORM, 7, 1, 200, 5),
    EDGE(UNIFORM, 1, 200, 1, 5),     EDGE(EMPTY, 0, 65, 33, 9),
    EDGE(RMAT, 4, 64, 64, 8),        EDGE(BANDED, 3, 31, 31, 7),
    EDGE(DENSE_ROW, 0, 1, 129, 2),   EDGE(GAPS, 0, 129, 127, 1),
    EDGE(UNIFORM, 64, 16, 64, 16),   EDGE(POISSON, 0, 100, 100, 17),
    EDGE(ONE_COLUMN, 0, 64, 64, 1),  EDGE(RMAT, 16, 127, 127, 1),
    EDGE(UNIFORM, 33, 33, 33, 33),   EDGE(GAPS, 0, 1000, 3, 4),
    EDGE(BANDED, 1, 1000, 10, 2),    EDGE(DENSE_ROW, 0, 2, 5000, 1),
    EDGE(UNIFORM, 9, 7, 5000, 15),   EDGE(EMPTY, 0, 1000, 1, 2),
    EDGE(POISSON, 0, 1000, 1000, 3), EDGE(DENSE_ROW, 0, 300, 300, 31),
    EDGE(RMAT, 8, 500, 500, 32),     EDGE(ONE_COLUMN, 0, 3, 700, 64),
    EDGE(BANDED, 8, 10, 1000, 33),   EDGE(GAPS, 0, 7, 1, 100),
#undef EDGE
};
_Static_assert(sizeof spmm_edges / sizeof spmm_edges[0] == SPMM_EDGES, "all edges are counted");

const enum value_dist spmm_values[] = {VALUES_BALANCED, VALUES_UNIFORM, VALUES_WIDE_LEFT,
                                       VALUES_WIDE_RIGHT};

int spmm_complete(struct shape *s, struct err *e)
{
    struct structure_matrix m;
    structure_open(&m, s->structure, s->dim[SPMM_M], s->dim[SPMM_N]);
    const struct structure_counts c = structure_count(&m);
    if (c.entries > INT_MAX) {
        char text[SHAPE_TEXT];
        shape_format(*s, text);
        return err_input(e, "'%s': A would have %lld nonzero entries, more than 2^31 - 1", text,
                         (long long)c.entries);
    }
    const double stored = (double)s->dim[SPMM_M] * c.widest;
    s->derived[SPMM_NNZ - EXTENT_DERIVED] = (int)c.entries;
    s->derived[SPMM_WIDTH - EXTENT_DERIVED] = c.widest;
    s->fact[0] = stored > 0 ? 1 - (double)c.entries / stored : 0;
    s->fact[1] = c.variance;
    return 0;
}

double spmm_operations(const struct kernel *k, struct shape s)
{
    (void)k;
    return 2.0 * shape_extent(s, SPMM_NNZ) * s.dim[SPMM_K];
}

/* --- inputs ----------------------------------------------------------------------------------- */

const struct sparse *spmm_structure(struct shape s, uint64_t seed, struct rotation *r)
{
    const int rows = s.dim[SPMM_M], cols = s.dim[SPMM_N];
    *r = sparse_rotation(s.structure, rows, cols, seed);
    return sparse_get(s.structure, rows, cols);
}

/* Bits of exact values. No value is zero, so that a term that is left out shows. */
static int bits_of(struct shape s, enum value_dist values, bool of_x)
{
    const int both = BITS - exact_sum_bits(shape_extent(s, SPMM_WIDTH));
    if (values == VALUES_BALANCED)
        return exact_factor_bits(both, of_x);
    if (of_x == (values == VALUES_WIDE_RIGHT))
        return WIDE;
    return both - WIDE > 10 ? 10 : both - WIDE < 1 ? 1 : both - WIDE;
}

struct spmm_source spmm_source(struct shape s, enum value_dist values, uint64_t seed, bool of_x)
{
    struct spmm_source from = {.rounded = values == VALUES_UNIFORM,
                               .bits = bits_of(s, values, of_x)};
    random_stream_init(&from.random, seed, of_x, 0);
    return from;
}

void spmm_fill(struct spmm_source *from, uint32_t first, uint32_t n, double *x)
{
    if (from->rounded)
        random_uniform_f64(&from->random, first, n, x);
    else
        for (uint32_t i = 0; i < n; i++)
            x[i] = random_whole(random_stream_word(&from->random, first + i), from->bits);
}

void spmm_fill_x(struct shape s, enum value_dist values, uint64_t seed, double *x)
{
    struct spmm_source from = spmm_source(s, values, seed, true);
    spmm_fill(&from, 0, (uint32_t)s.dim[SPMM_N] * (uint32_t)s.dim[SPMM_K], x);
}

/* --- results ---------------------------------------------------------------------------------- */

/* Element (i, j) of Y: a row of A and column j of X, in long double (exact.h). */
static double element(const struct spmm *a, struct spmm_row r, size_t j)
{
    const size_t k = (size_t)a->k;
    long double sum = 0;
    for (int e = 0; e < r.n; e++)
        sum += (long double)r.val[e] * (long double)a->x[(size_t)r.col[e] * k + j];
    return (double)sum;
}

void spmm_expect(const struct spmm *a, double *y)
{
    for (int i = 0; i < a->rows; i++) {
        const struct spmm_row r = spmm_row(a, i);
        for (int j = 0; j < a->k; j++)
            *y++ = element(a, r, (size_t)j);
    }
}

/* As for dense products, the unit is the norm of the row of A times the norm of those elements of
 * the column of X that the row meets. The latter is estimated: as many elements as the row has, of
 * the root mean square of the column. So it is a number of the row times one of the column. */
static double row_scale(struct spmm_row r)
{
    double squares = 0;
    int entries = 0;
    for (int e = 0; e < r.n; e++) {
        squares += r.val[e] * r.val[e];
        entries += r.val[e] != 0;
    }
    return sqrt(squares * entries);
}

static void col_scale(const struct spmm *a, double *col)
{
    const size_t k = (size_t)a->k;
    for (size_t j = 0; j < k; j++)
        col[j] = 0;
    for (size_t i = 0; i < (size_t)a->cols; i++)
        for (size_t j = 0; j < k; j++)
            col[j] += a->x[i * k + j] * a->x[i * k + j];
    for (size_t j = 0; j < k; j++)
        col[j] = sqrt(col[j] / a->cols);
}

void spmm_scale(const struct spmm *a, double *row, double *col)
{
    for (int i = 0; i < a->rows; i++)
        row[i] = row_scale(spmm_row(a, i));
    col_scale(a, col);
}

/* unit: the unit of errors of each column, or NULL for exact values. */
static bool row_is_right(const struct spmm *a, int i, const double *y, const double *unit)
{
    const struct spmm_row r = spmm_row(a, i);
    const double most = unit ? KERNEL_ERROR_MOST * type_roundoff(TYPE_F64) * row_scale(r) : 0;
    for (int j = 0; j < a->k; j++) {
        const double right = element(a, r, (size_t)j), allowed = unit ? most * unit[j] : 0;
        if (!(fabs(y[(size_t)i * (size_t)a->k + (size_t)j] - right) <= allowed))
            return false;
    }
    return true;
}

bool spmm_certify(const struct spmm *a, const struct comparison *c, uint64_t seed)
{
    const bool exact = value_dist_exact(c->values);
    const uint64_t rows = (uint64_t)a->rows, some = exact ? rows : SAMPLED_ROWS;
    OWNED double *unit = exact ? NULL : xcalloc((size_t)a->k, sizeof *unit);
    bool right = true;
    if (unit)
        col_scale(a, unit);
    for (uint64_t i = 0; i < some && right; i++)
        right = row_is_right(a, (int)(exact ? i : rng_at(seed, i) % rows), c->got, unit);
    return right;
}

static bool row_is_empty(struct spmm_row r)
{
    for (int e = 0; e < r.n; e++)
        if (r.val[e] != 0)
            return false;
    return true;
}

static const char *only_empty_rows(const struct spmm *a, const unsigned char *facts)
{
    bool any_entries = false;
    for (int i = 0; i < a->rows; i++) {
        const bool empty = row_is_empty(spmm_row(a, i));
        any_entries = any_entries || !empty;
        for (int j = 0; j < a->k && !empty; j++)
            if (facts[(size_t)i * (size_t)a->k + (size_t)j] & ELEMENT_WRONG)
                return NULL;
    }
    return any_entries ? "these rows of A have no entries, so these rows of Y are zero, and the "
                         "zeros must be written"
                       : NULL;
}

/* Mistakes in the indices. */
struct reading {
    int first, last; /* entries of each row that are left out */
    bool x_by_columns, y_by_columns;
    const char *says;
};

static const struct reading readings[] = {
    {0, 0, true, false,
     "this is what comes out if X is read by columns; X[c][j] is X[c * K + j], and c is col[e]"},
    {0, 0, true, true,
     "this is what comes out if X is read by columns, and Y is written by columns; rows of both "
     "have K elements"},
    {0, 1, false, false, "this is what comes out if the last entry of each row is left out"},
    {1, 0, false, false, "this is what comes out if the first entry of each row is left out"},
};

/* Is y what comes out so, up to rounding? */
static bool comes_out(const struct spmm *a, const struct reading *how, const double *y)
{
    const size_t rows = (size_t)a->rows, cols = (size_t)a->cols, k = (size_t)a->k;
    for (size_t i = 0; i < rows; i++) {
        const struct spmm_row r = spmm_row(a, (int)i);
        for (size_t j = 0; j < k; j++) {
            double sum = 0, size = 0;
            for (int e = how->first; e < r.n - how->last; e++) {
                const size_t c = (size_t)r.col[e];
                const double term = r.val[e] * a->x[how->x_by_columns ? j * cols + c : c * k + j];
                sum += term;
                size += fabs(term);
            }
            if (!(fabs(y[how->y_by_columns ? j * rows + i : i * k + j] - sum) <= 1e-12 * size))
                return false;
        }
    }
    return true;
}

/* Where each row has one entry, the first one is the last one; and a matrix of one row or column is
 * the same by columns. */
static bool is_different(const struct spmm *a, const struct reading *how)
{
    bool long_row = how->first + how->last == 0;
    for (int i = 0; i < a->rows && !long_row; i++)
        long_row = spmm_row(a, i).n > 1;
    return long_row && (!how->x_by_columns || (a->cols > 1 && a->k > 1)) &&
           (!how->y_by_columns || (a->rows > 1 && a->k > 1));
}

const char *spmm_explain(const struct spmm *a, const struct comparison *c,
                         const unsigned char *facts)
{
    const char *known = only_empty_rows(a, facts);
    for (size_t i = 0; i < sizeof readings / sizeof readings[0] && !known; i++)
        if (is_different(a, &readings[i]) && comes_out(a, &readings[i], c->got))
            known = readings[i].says;
    return known;
}
