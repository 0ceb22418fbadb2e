/*
 * compare_real.h - results of floating-point numbers. It is included once for each type, by a file
 * that defines
 *
 *   REAL, MANTISSA   the type of the elements and its bits: 24 or 53
 *   COMPARE, SHOW    the function, and how a number is printed
 */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "kernel/compare.h"
#include "kernel/pattern.h"
#include "kernel/row_order.h"
#include "kernel/value_pattern.h"

/* What sums that are rounded after each term have, in the root mean square. */
#define ERROR_RMS_USUAL 0.3

/* Of the output. For rounded results, row[i] * col[j] is the unit of error of an element; or there
 * is a unit for each. */
struct extent {
    size_t rows, cols;
    bool rounded; /* false: the result must be exact */
    double *row, *col;
    double *unit;
};

/* The units of a kernel without scale(): the least rounding error that the element can have; how
 * much the trusted code differs from itself when it rounds in another direction; and at least the
 * root mean square of all units, because small elements may be differences of large ones. */
static double *units_of(const struct comparison *c, size_t n)
{
    const REAL *expected = c->expected;
    const double least_spread = c->least_spread ? *c->least_spread : 0;
    double *unit = xcalloc(n, sizeof *unit), squares = 0;
    for (size_t i = 0; i < n; i++) {
        const double spread = c->spread ? c->spread[i] : 0;
        unit[i] = fmax(ldexp(fabs((double)expected[i]), -MANTISSA), fmax(spread, least_spread));
        squares += unit[i] * unit[i];
    }
    const double least = sqrt(squares / (double)n);
    for (size_t i = 0; i < n; i++)
        unit[i] = fmax(unit[i], least);
    return unit;
}

static struct extent extent_of(const struct kernel *k, const struct comparison *c)
{
    struct extent x = {.rows = operand_rows(&k->out, c->shape),
                       .cols = operand_cols(&k->out, c->shape),
                       .rounded = !c->exact && !kernel_values_exact(k, c->values)};
    if (!x.rounded)
        return x;
    if (!k->scale) {
        x.unit = units_of(c, x.rows * x.cols);
        return x;
    }
    x.row = xcalloc(x.rows, sizeof *x.row);
    x.col = xcalloc(x.cols, sizeof *x.col);
    k->scale(c->shape, c->in, x.row, x.col);
    for (size_t i = 0; i < x.rows; i++)
        x.row[i] = ldexp(x.row[i], -MANTISSA);
    return x;
}

static void extent_free(struct extent *x)
{
    free(x->row);
    free(x->col);
    free(x->unit);
}

static double unit_at(const struct extent *x, size_t i)
{
    return x->unit ? x->unit[i] : x->row[i / x->cols] * x->col[i % x->cols];
}

static double allowed_at(const struct extent *x, size_t i, double limit)
{
    return x->rounded ? limit * unit_at(x, i) : 0;
}

/* The sum of the squares of all errors, and the largest one. */
struct errors {
    double squares, most;
};

/* Add those of a row. An element that is not finite makes the sum NAN or infinite. An element
 * without any scale, because all of its row or column is zero, must be right. */
static void add_errors(size_t n, const REAL *expected, const REAL *got, double row,
                       const double *col, struct errors *e)
{
    double sum = 0, most = 0;
    for (size_t j = 0; j < n; j++) {
        const double difference = fabs((double)got[j] - (double)expected[j]), scale = row * col[j];
        const double x = scale > 0 ? difference / scale : difference == 0 ? 0 : (double)INFINITY;
        sum += x * x;
        most = x > most ? x : most;
    }
    e->squares += sum;
    e->most = fmax(e->most, most);
}

static bool accurate(const struct accuracy *a)
{
    return a->max <= KERNEL_ERROR_MOST && a->rms <= KERNEL_ERROR_RMS_MOST; /* false for NAN */
}

#if MANTISSA == 24
typedef uint32_t real_bits;
#else
typedef uint64_t real_bits;
#endif

/* What the element held before. */
static real_bits held_before(const struct comparison *c, size_t i)
{
    real_bits bits = (real_bits)(sizeof bits == 4 && i % 2 ? c->poison >> 32 : c->poison);
    if (c->initial)
        memcpy(&bits, (const unsigned char *)c->initial + i * sizeof bits, sizeof bits);
    return bits;
}

/* Is this the NAN of the poison, or what arithmetic makes of it? That keeps its bits, but for the
 * sign and the one that makes it quiet. */
static bool is_of_poison(real_bits bits, real_bits poison)
{
    const real_bits sign = (real_bits)1 << (8 * sizeof bits - 1),
                    quiet = (real_bits)1 << (MANTISSA - 2);
    return ((bits ^ poison) & ~(sign | quiet)) == 0;
}

/* allowed: the largest difference that is right. */
static unsigned char facts_of(REAL expected, REAL got, real_bits poison_bits, double allowed)
{
    REAL poison;
    real_bits bits;
    memcpy(&poison, &poison_bits, sizeof poison);
    memcpy(&bits, &got, sizeof bits);
    const bool same = bits == poison_bits;
    if (fabs((double)got - (double)expected) <= allowed)
        return (unsigned char)(((double)got == 0 ? ELEMENT_ZERO : 0) |
                               (same ? ELEMENT_UNTOUCHED : 0));
    const double rest = (double)got - (double)poison - (double)expected;
    /* A sum that starts with the poison rounds all its terms beside it. */
    const bool added =
        isfinite(poison) && isfinite(got) && fabs(rest) <= allowed + fabs((double)poison) / 8;
    /* What is added to a NAN is another NAN; nothing is added where the right value is 0. */
    const bool kept = isnan(poison) && isnan(got) && is_of_poison(bits, poison_bits);
    const bool spoilt = kept && (!same || (double)expected == 0);
    return (unsigned char)(ELEMENT_WRONG | (same ? ELEMENT_UNTOUCHED : 0) |
                           ((double)got == INT_MIN ? ELEMENT_INT_MIN : 0) |
                           ((double)got == 0 ? ELEMENT_ZERO : 0) |
                           (isnan(got) && !kept ? ELEMENT_NAN : 0) |
                           (added || spoilt ? ELEMENT_ADDED_TO : 0));
}

/* limit: the largest error that is right, in units. */
static bool transposed(const struct extent *x, const REAL *expected, const REAL *got, double limit)
{
    const size_t rows = x->rows, cols = x->cols;
    if (rows == 1 || cols == 1)
        return false;
    for (size_t i = 0; i < rows * cols; i++)
        if (!(fabs((double)got[i % cols * rows + i / cols] - (double)expected[i]) <=
              allowed_at(x, i, limit)))
            return false;
    return true;
}

/* Say with how many bits the kernel computes, if all of a result is inaccurate. */
static void describe_precision(const struct extent *x, const struct accuracy *a, struct mismatch *m)
{
    const size_t used = strlen(m->pattern);
    if (!isfinite(a->rms) || a->rms <= KERNEL_ERROR_RMS_MOST || 2 * m->wrong < m->total)
        return;
    const double bits = MANTISSA - log2(a->rms / ERROR_RMS_USUAL);
    /* Then it is another number, not an inaccurate one. Without scale(), less is known. */
    if (bits < (x->unit ? MANTISSA / 3 : 4))
        return;
    snprintf(m->pattern + used, sizeof m->pattern - used,
             "; the sums are right to about %.0f bits, and those of a %s to %d: is there a "
             "%s inside?",
             bits, MANTISSA == 53 ? "double" : "float", MANTISSA,
             MANTISSA == 53 ? "float"
             : bits < 9.5   ? "16-bit number"
                            : "TF32 or 16-bit product");
}

/* Add what the kernel knows of the mistake, or what its values tell. */
static void describe_mistake(const struct wrong_elements *w, const struct comparison *c,
                             const struct extent *x, bool whole, struct mismatch *m)
{
    const struct kernel *k = w->kernel;
    const char *mistake = k->explain ? k->explain(c, w->facts) : NULL;
    if (mistake)
        pattern_add_cause(m, mistake);
    else if (!whole && !w->transposed)
        value_pattern_describe(&(struct wrong_values){MANTISSA == 24 ? TYPE_F32 : TYPE_F64,
                                                      c->expected, c->got, w->facts, x->rows,
                                                      x->cols, pattern_row(&k->out), x->rounded},
                               m);
}

static void describe(const struct kernel *k, const struct comparison *c, const struct extent *x,
                     const struct accuracy *a, struct mismatch *m)
{
    const size_t all = x->rows * x->cols;
    const REAL *expected = c->expected, *got = c->got;
    unsigned char *facts = xcalloc(all, sizeof *facts);
    /* If only the root mean square is too large, what exceeds it is wrong. */
    const double limit =
        a->max > KERNEL_ERROR_MOST || isnan(a->rms) ? KERNEL_ERROR_MOST : KERNEL_ERROR_RMS_MOST;
    for (size_t i = 0; i < all; i++)
        facts[i] = facts_of(expected[i], got[i], held_before(c, i), allowed_at(x, i, limit));
    const struct wrong_elements w = {k, c->shape, facts, transposed(x, expected, got, limit),
                                     c->launch};
    const bool whole = pattern_describe(&w, m);
    describe_mistake(&w, c, x, whole, m);
    free(facts);
    if (!whole)
        row_order_describe(pattern_row(&k->out), x->rows, x->cols * sizeof *got, expected, got, m);
    const size_t first = (size_t)m->row * x->cols + (size_t)m->col;
    snprintf(m->expected, sizeof m->expected, SHOW, (double)expected[first]);
    snprintf(m->got, sizeof m->got, SHOW, (double)got[first]);
    if (x->rounded)
        describe_precision(x, a, m);
}

/* Comparing numbers, not bytes: -0 equals 0, and a NAN equals nothing. */
static bool all_equal(size_t n, const REAL *expected, const REAL *got)
{
    size_t equal = 0;
    for (size_t i = 0; i < n; i++)
        equal += expected[i] == got[i];
    return equal == n;
}

static struct accuracy measure_errors(const struct comparison *c, const struct extent *x)
{
    const REAL *expected = c->expected, *got = c->got;
    struct errors e = {0, 0};
    for (size_t i = 0; i < x->rows; i++)
        add_errors(x->cols, expected + i * x->cols, got + i * x->cols, x->unit ? 1 : x->row[i],
                   x->unit ? x->unit + i * x->cols : x->col, &e);
    return (struct accuracy){e.most, sqrt(e.squares / ((double)x->rows * (double)x->cols))};
}

/* How alike the errors of the result and those of a shortcut are, from -1 to 1, in at most `most`
 * elements. *n: of how many. What is proportional to the result does not count: everything that is
 * rounded towards zero has that. */
static double correlation(const struct comparison *c, const struct extent *x,
                          const struct shortcut *how, int way, size_t most, size_t *n)
{
    const REAL *expected = c->expected, *got = c->got;
    const size_t all = x->rows * x->cols;
    /* Steps that have no divisor in common with the rows' length visit all columns. */
    size_t step = all / most + 1;
    while (step > 1 && x->cols % step == 0)
        step++;
    double ab = 0, aa = 0, bb = 0, ac = 0, bc = 0, cc = 0;
    *n = 0;
    for (size_t i = 0; i < all; i += step, ++*n) {
        const double right = (double)expected[i], a = (double)got[i] - right;
        const double b = how->error(c->shape, c->in, i / x->cols, i % x->cols, way);
        ab += a * b, aa += a * a, bb += b * b;
        ac += a * right, bc += b * right, cc += right * right;
    }
    const double rest = (aa - ac * ac / cc) * (bb - bc * bc / cc);
    return rest > 0 ? (ab - ac * bc / cc) / sqrt(rest) : 0;
}

/* Has the result the errors of the kernel's shortcut? */
static bool takes_shortcut(const struct kernel *k, const struct comparison *c,
                           const struct extent *x, const struct accuracy *a)
{
    enum { SAMPLED = 4096 };
    const int ways = k->shortcut && a->rms > KERNEL_ERROR_RMS_HONEST ? k->shortcut->ways : 0;
    for (int way = 0; way < ways; way++) {
        size_t n;
        const double r = correlation(c, x, k->shortcut, way, SAMPLED, &n);
        /* With nothing in common, r is 0 +- 1 / sqrt(n); with the shortcut alone, 0.7 to 1. Noise
         * that hides it is above the limits, but for very long sums. */
        if (r > 8 / sqrt((double)n))
            return true;
    }
    return false;
}

static void describe_shortcut(const struct kernel *k, const struct comparison *c,
                              const struct extent *x, struct mismatch *m)
{
    const REAL *expected = c->expected, *got = c->got;
    m->present = true;
    m->wrong = m->total = x->rows * x->cols;
    snprintf(m->expected, sizeof m->expected, SHOW, (double)expected[0]);
    snprintf(m->got, sizeof m->got, SHOW, (double)got[0]);
    snprintf(
        m->pattern, sizeof m->pattern,
        "all of them are close, but their errors are those of a kernel that %s; a float has %d "
        "bits",
        k->shortcut->name, MANTISSA);
}

uint64_t COMPARE(const struct kernel *k, const struct comparison *c, struct mismatch *m,
                 struct accuracy *a)
{
    struct extent x = extent_of(k, c);
    *m = (struct mismatch){0};
    *a = x.rounded ? measure_errors(c, &x) : (struct accuracy){NAN, NAN};
    if (x.rounded ? !accurate(a) : !all_equal(x.rows * x.cols, c->expected, c->got))
        describe(k, c, &x, a, m);
    else if (x.rounded && takes_shortcut(k, c, &x, a))
        describe_shortcut(k, c, &x, m);
    extent_free(&x);
    return m->wrong;
}
