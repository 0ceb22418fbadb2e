/*
 * gemm_real.h - the dense product of floating-point numbers. It is included once for each type, by
 * a file that defines
 *
 *   REAL, WIDER    the type of the elements, and the one for the right answer
 *   MANTISSA       bits of a REAL: 24 or 53
 *   KERNEL, TYPE, FUNCTION, SHOW
 *
 * Two kinds of values, and two rules:
 *
 *   exact     Small integers, so small that no partial sum needs more than MANTISSA - 4 bits: every
 *             order of summation is exact, that of Strassen's algorithm as well. Every element must
 *             be equal. A kernel that computes with fewer bits, or drops a term, is wrong.
 *   rounded   -1 .. 1 with all bits. The error of an element, divided by u |a_i| |b_j|
 * (mismatch.h), may be 64 at most, and 10 in the root mean square. Measured: 4.3 and 0.3 for cuBLAS
 *             whatever K is, 11 and 1.3 for four levels of Strassen's algorithm, 29 and 5 for three
 *             products of TF32; 35 to 550 in the root mean square for TF32, more for 16 bits.
 *
 * The 4 spare bits are for algorithms that add elements before they multiply.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "base/strbuf.h"
#include "kernel/gemm.h"
#include "kernel/pattern.h"

enum {
    BITS = MANTISSA - 4,     /* of a partial sum of exact values */
    WIDE = MANTISSA / 2 + 1, /* of the wide input: 13, or 27 */
    SAMPLED_ROWS = 32,
};

#define ERROR_MOST 64.0
#define ERROR_RMS_MOST 10.0
/* What sums that are rounded after each term have, in the root mean square. */
#define ERROR_RMS_USUAL 0.3

static size_t input_bytes(struct shape s, int i)
{
    return gemm_elements_in(s, i) * sizeof(REAL);
}

static size_t output_bytes(struct shape s)
{
    return gemm_elements_out(s) * sizeof(REAL);
}

/* --- values ----------------------------------------------------------------------------------- */

/* Bits of a number of summands. */
static int bits_of(int n)
{
    int bits = 0;
    while (n > 1 << bits)
        bits++;
    return bits;
}

/* +-1 .. +-(2^bits - 1), and never 0. */
static REAL whole(uint32_t random, int bits)
{
    const uint32_t size = 1 + (uint32_t)(((random >> 1) * ((UINT64_C(1) << bits) - 1)) >> 31);
    return random & 1 ? -(REAL)size : (REAL)size;
}

/* The bits of input i if both have about as many. */
static int balanced_bits(int k, int i)
{
    const int both = BITS - bits_of(k);
    const int bits = i == 0 ? (both + 1) / 2 : both / 2;
    return bits < 1 ? 1 : bits > 24 ? 24 : bits;
}

static void fill_balanced(struct shape s, struct gemm_key key, int i, REAL *x)
{
    const uint32_t n = (uint32_t)gemm_elements_in(s, i);
    const int bits = balanced_bits(s.k, i);
    for (uint32_t j = 0; j < n; j++)
        x[j] = whole(gemm_random(j, key), bits);
}

/* The wide input has WIDE bits, and the other one what is left. If this is less than one bit, the
 * other one is zero but for so many k that sums do not get too long. */
static void fill_wide(struct shape s, struct gemm_key key, int i, int wide, REAL *x)
{
    const uint32_t cols = (uint32_t)(i == 0 ? s.k : s.n), n = (uint32_t)gemm_elements_in(s, i);
    const int left = BITS - WIDE - bits_of(s.k), narrow = left < 1 ? 1 : left > 10 ? 10 : left;
    const int summands = 1 << (BITS - WIDE - 1);
    const uint32_t every = (uint32_t)((s.k + summands - 1) / summands);
    for (uint32_t j = 0; j < n; j++) {
        const uint32_t k = i == 0 ? j % cols : j / cols, random = gemm_random(j, key);
        if (i == wide)
            x[j] = whole(random, WIDE);
        else
            x[j] = k % every == 0 ? whole(random, narrow) : 0;
    }
}

/* Rows of A and columns of B are scaled by 2^-8 .. 2^7, which is exact. */
static void fill_graded(struct shape s, struct gemm_key key, int i, REAL *x)
{
    const uint32_t rows = (uint32_t)(i == 0 ? s.m : s.k), cols = (uint32_t)(i == 0 ? s.k : s.n);
    const struct gemm_key other = {key.k1, key.k0};
    const int bits = balanced_bits(s.k, i);
    for (uint32_t r = 0; r < rows; r++)
        for (uint32_t c = 0; c < cols; c++) {
            const int scale = (int)(gemm_random(i == 0 ? r : c, other) >> 28) - 8;
            x[r * cols + c] = (REAL)ldexp(whole(gemm_random(r * cols + c, key), bits), scale);
        }
}

/* Every second column of A is the one before it with the other sign. Every second row of B is the
 * one before it plus -1, 0 or 1. So nearly all of a sum cancels. */
static void fill_cancelling(struct shape s, struct gemm_key key, int i, REAL *x)
{
    const uint32_t rows = (uint32_t)(i == 0 ? s.m : s.k), cols = (uint32_t)(i == 0 ? s.k : s.n);
    const int bits = balanced_bits(s.k, i), least = bits > 1 ? bits - 1 : 1;
    for (uint32_t r = 0; r < rows; r++)
        for (uint32_t c = 0; c < cols; c++) {
            const uint32_t at = r * cols + c;
            const uint32_t before = i == 0 ? at - (c & 1) : at - (r & 1) * cols;
            const REAL value = whole(gemm_random(before, key), least);
            if (before == at)
                x[at] = value;
            else
                x[at] = i == 0 ? -value : value + (REAL)(int)(gemm_random(at, key) % 3) - 1;
        }
}

static void fill_uniform(struct shape s, struct gemm_key key, int i, REAL *x)
{
    const uint32_t n = (uint32_t)gemm_elements_in(s, i);
#if MANTISSA == 24
    for (uint32_t j = 0; j < n; j++)
        x[j] = (REAL)((int32_t)gemm_random(j, key) >> 7) * 0x1p-24F;
#else
    const struct gemm_key other = {key.k1, key.k0};
    for (uint32_t j = 0; j < n; j++) {
        const uint64_t both = (uint64_t)gemm_random(j, key) << 32 | gemm_random(j, other);
        x[j] = (REAL)((int64_t)both >> 10) * 0x1p-53;
    }
#endif
}

static void generate(struct shape s, enum value_dist values, uint64_t seed, int i, void *dst)
{
    const struct gemm_key key = gemm_key(seed, i);
    switch (values) {
    case VALUES_WIDE_LEFT:
    case VALUES_WIDE_RIGHT:
        fill_wide(s, key, i, values == VALUES_WIDE_RIGHT, dst);
        return;
    case VALUES_GRADED:
        fill_graded(s, key, i, dst);
        return;
    case VALUES_CANCELLING:
        fill_cancelling(s, key, i, dst);
        return;
    case VALUES_UNIFORM:
        fill_uniform(s, key, i, dst);
        return;
    default:
        fill_balanced(s, key, i, dst);
        return;
    }
}

/* --- the right answer ------------------------------------------------------------------------- */

/* One row of the product. sum: room for n. */
static void expect_row(struct shape s, const REAL *a, const REAL *b, WIDER *sum, REAL *out)
{
    const size_t n = (size_t)s.n;
    for (size_t j = 0; j < n; j++)
        sum[j] = 0;
    for (size_t k = 0; k < (size_t)s.k; k++) {
        const WIDER x = a[k];
        for (size_t j = 0; j < n; j++)
            sum[j] += x * (WIDER)b[k * n + j];
    }
    for (size_t j = 0; j < n; j++)
        out[j] = (REAL)sum[j];
}

static void expect(struct shape s, const void *const in[], void *out)
{
    const REAL *a = in[0];
    REAL *c = out;
    WIDER *sum = xcalloc((size_t)s.n, sizeof *sum);
    for (size_t i = 0; i < (size_t)s.m; i++)
        expect_row(s, a + i * (size_t)s.k, in[1], sum, c + i * (size_t)s.n);
    free(sum);
}

/* --- errors ----------------------------------------------------------------------------------- */

/* u |a_i| for each row, and |b_j| for each column. */
struct scales {
    double *row, *col;
};

static struct scales scales_of(struct shape s, const void *const in[])
{
    const size_t m = (size_t)s.m, n = (size_t)s.n, depth = (size_t)s.k;
    const REAL *a = in[0], *b = in[1];
    struct scales x = {xcalloc(m, sizeof *x.row), xcalloc(n, sizeof *x.col)};
    for (size_t i = 0; i < m; i++) {
        double sum = 0;
        for (size_t k = 0; k < depth; k++)
            sum += (double)a[i * depth + k] * (double)a[i * depth + k];
        x.row[i] = ldexp(sqrt(sum), -MANTISSA);
    }
    for (size_t k = 0; k < depth; k++)
        for (size_t j = 0; j < n; j++)
            x.col[j] += (double)b[k * n + j] * (double)b[k * n + j];
    for (size_t j = 0; j < n; j++)
        x.col[j] = sqrt(x.col[j]);
    return x;
}

static void scales_free(struct scales *x)
{
    free(x->row);
    free(x->col);
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

static struct accuracy accuracy_of(const struct errors *e, double elements)
{
    return (struct accuracy){e->most, sqrt(e->squares / elements)};
}

static bool accurate(const struct accuracy *a)
{
    return a->max <= ERROR_MOST && a->rms <= ERROR_RMS_MOST; /* false for NAN */
}

/* --- comparing -------------------------------------------------------------------------------- */

#if MANTISSA == 24
typedef uint32_t real_bits;
#else
typedef uint64_t real_bits;
#endif

static real_bits poison_at(uint64_t poison, size_t i)
{
    return (real_bits)(sizeof(real_bits) == 4 && i % 2 ? poison >> 32 : poison);
}

/* allowed: the largest difference that is right. */
static unsigned char facts_of(REAL expected, REAL got, real_bits poison_bits, double allowed)
{
    REAL poison;
    real_bits bits;
    memcpy(&poison, &poison_bits, sizeof poison);
    memcpy(&bits, &got, sizeof bits);
    if (fabs((double)got - (double)expected) <= allowed)
        return 0;
    const bool same = bits == poison_bits;
    const double rest = (double)got - (double)poison - (double)expected;
    const bool added =
        isfinite(poison) &&
        fabs(rest) <= allowed + ldexp(fabs((double)got) + fabs((double)poison), 2 - MANTISSA);
    /* What is added to a NAN is a NAN. */
    const bool spoilt = isnan(poison) && isnan(got) && !same;
    return (unsigned char)(ELEMENT_WRONG | (same ? ELEMENT_UNTOUCHED : 0) |
                           (added || spoilt ? ELEMENT_ADDED_TO : 0));
}

static bool transposed(struct shape s, const REAL *expected, const REAL *got, double allowed)
{
    const size_t n = (size_t)s.m;
    if (s.m != s.n || n == 1)
        return false;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            if (!(fabs((double)got[i * n + j] - (double)expected[j * n + i]) <= allowed))
                return false;
    return true;
}

/* Say with how many bits the kernel computes, if all of a result is inaccurate. */
static void describe_precision(const struct accuracy *a, struct mismatch *m)
{
    const size_t used = strlen(m->pattern);
    if (!isfinite(a->rms) || a->rms <= ERROR_RMS_MOST || 2 * m->wrong < m->total)
        return;
    const double bits = MANTISSA - log2(a->rms / ERROR_RMS_USUAL);
    if (bits < 4) /* then it is another number, not an inaccurate one */
        return;
    snprintf(m->pattern + used, sizeof m->pattern - used,
             "; the sums are right to about %.0f bits, and those of a %s to %d: is there a "
             "%s inside?",
             bits, type_in_c(TYPE), MANTISSA,
             MANTISSA == 53 ? "float"
             : bits < 9.5   ? "16-bit number"
                            : "TF32 or 16-bit product");
}

/* x: of a rounded result; else NULL. */
static void describe(const struct comparison *c, const struct scales *x, const struct accuracy *a,
                     struct mismatch *m)
{
    const size_t n = (size_t)c->shape.n, all = gemm_elements_out(c->shape);
    const REAL *expected = c->expected, *got = c->got;
    unsigned char *facts = xcalloc(all, sizeof *facts);
    double least = x ? INFINITY : 0;
    /* If only the root mean square is too large, what exceeds it is wrong. */
    const double limit = a->max > ERROR_MOST || isnan(a->rms) ? ERROR_MOST : ERROR_RMS_MOST;
    for (size_t i = 0; i < all; i++) {
        const double allowed = x ? limit * x->row[i / n] * x->col[i % n] : 0;
        facts[i] = facts_of(expected[i], got[i], poison_at(c->poison, i), allowed);
        least = fmin(least, allowed);
    }
    const struct wrong_elements w = {c->shape.m, c->shape.n, facts,
                                     transposed(c->shape, expected, got, least), c->launch};
    pattern_describe(&w, m);
    free(facts);
    const size_t first = (size_t)m->row * n + (size_t)m->col;
    snprintf(m->expected, sizeof m->expected, SHOW, (double)expected[first]);
    snprintf(m->got, sizeof m->got, SHOW, (double)got[first]);
    if (x)
        describe_precision(a, m);
}

static uint64_t compare_exact(const struct comparison *c, struct mismatch *m)
{
    const size_t n = gemm_elements_out(c->shape);
    const REAL *expected = c->expected, *got = c->got;
    const struct accuracy none = {NAN, NAN};
    size_t equal = 0;
    for (size_t i = 0; i < n; i++)
        equal += expected[i] == got[i];
    if (equal < n)
        describe(c, NULL, &none, m);
    return m->wrong;
}

static struct accuracy measure_errors(const struct comparison *c, const struct scales *x)
{
    const size_t m = (size_t)c->shape.m, n = (size_t)c->shape.n;
    const REAL *expected = c->expected, *got = c->got;
    struct errors e = {0, 0};
    for (size_t i = 0; i < m; i++)
        add_errors(n, expected + i * n, got + i * n, x->row[i], x->col, &e);
    return accuracy_of(&e, (double)m * (double)n);
}

static uint64_t compare(const struct comparison *c, struct mismatch *m, struct accuracy *a)
{
    *m = (struct mismatch){0};
    *a = (struct accuracy){NAN, NAN};
    if (value_dist_exact(c->values))
        return compare_exact(c, m);
    struct scales x = scales_of(c->shape, c->in);
    *a = measure_errors(c, &x);
    if (!accurate(a))
        describe(c, &x, a, m);
    scales_free(&x);
    return m->wrong;
}

/* --- certifying ------------------------------------------------------------------------------- */

/* R. Freivalds, Probabilistic machines can use less running time, IFIP 1977: if C r = A (B r) for a
 * random vector r, then C = A B, but for one in 2^61 - 1 of the vectors. All numbers are whole, so
 * this is computed modulo that prime. */
#define PRIME ((UINT64_C(1) << 61) - 1)
__extension__ typedef unsigned __int128 wide_product;

static uint64_t reduce(wide_product x)
{
    const uint64_t sum = (uint64_t)(x & PRIME) + (uint64_t)(x >> 61);
    return sum >= PRIME ? sum - PRIME : sum;
}

/* The residue of a whole number, in *r. False for other numbers. */
static bool residue(REAL x, uint64_t *r)
{
    if (!(fabs((double)x) < 0x1p53) || x != (REAL)(int64_t)x)
        return false;
    const int64_t whole_number = (int64_t)x;
    *r = whole_number < 0 ? PRIME - (uint64_t)-whole_number : (uint64_t)whole_number;
    return true;
}

/* out = matrix (rows x cols) times v. False when an element is not whole. */
static bool times_vector(size_t rows, size_t cols, const REAL *matrix, const uint64_t *v,
                         uint64_t *out)
{
    uint64_t r;
    for (size_t i = 0; i < rows; i++) {
        wide_product sum = 0;
        for (size_t j = 0; j < cols; j++) {
            if (!residue(matrix[i * cols + j], &r))
                return false;
            sum += reduce((wide_product)r * v[j]);
        }
        out[i] = reduce(sum);
    }
    return true;
}

static bool certify_exact(const struct comparison *c, uint64_t seed)
{
    const size_t m = (size_t)c->shape.m, n = (size_t)c->shape.n, k = (size_t)c->shape.k;
    uint64_t *r = xcalloc(n + k + m + m, sizeof *r), *br = r + n, *abr = br + k, *cr = abr + m;
    for (size_t j = 0; j < n; j++)
        r[j] = reduce(rng_at(seed, j));
    const bool right = times_vector(k, n, c->in[1], r, br) &&
                       times_vector(m, k, c->in[0], br, abr) && times_vector(m, n, c->got, r, cr) &&
                       memcmp(abr, cr, m * sizeof *cr) == 0;
    free(r);
    return right;
}

static bool certify_rounded(const struct comparison *c, uint64_t seed)
{
    const size_t n = (size_t)c->shape.n;
    const REAL *a = c->in[0], *got = c->got;
    WIDER *sum = xcalloc(n, sizeof *sum);
    REAL *row = xcalloc(n, sizeof *row);
    struct scales x = scales_of(c->shape, c->in);
    struct errors e = {0, 0};
    for (uint64_t i = 0; i < SAMPLED_ROWS; i++) {
        const size_t at = rng_at(seed, i) % (uint64_t)c->shape.m;
        expect_row(c->shape, a + at * (size_t)c->shape.k, c->in[1], sum, row);
        add_errors(n, row, got + at * n, x.row[at], x.col, &e);
    }
    scales_free(&x);
    free(row);
    free(sum);
    const struct accuracy all = accuracy_of(&e, SAMPLED_ROWS * (double)n);
    return accurate(&all);
}

static bool certify(const struct comparison *c, uint64_t seed)
{
    return value_dist_exact(c->values) ? certify_exact(c, seed) : certify_rounded(c, seed);
}

/* --- the kernel ------------------------------------------------------------------------------- */

/* Numbers of the size of a result, and NANs: whoever adds to what C held before is wrong, and so is
 * whoever multiplies it by zero. */
static uint64_t poison(uint64_t random)
{
    const uint64_t fraction = random | UINT64_C(0x0001010101010101);
#if MANTISSA == 24
    const uint32_t number = (uint32_t)fraction & 0x83ffffff, /* 2^1 .. 2^8, either sign */
        nan = (uint32_t)(fraction >> 32) | 0x7fc00000;
    return (uint64_t)nan << 32 | (number | 0x40000000);
#else
    const uint64_t kept = fraction & UINT64_C(0x807fffffffffffff);
    return random & 2 ? fraction | UINT64_C(0x7ff8000000000000)
                      : kept | UINT64_C(0x4000000000000000);
#endif
}

static double bytes(struct shape s)
{
    return gemm_bytes(s, sizeof(REAL));
}

static const enum value_dist values[] = {VALUES_BALANCED,   VALUES_UNIFORM, VALUES_WIDE_LEFT,
                                         VALUES_WIDE_RIGHT, VALUES_GRADED,  VALUES_CANCELLING};

const struct kernel KERNEL = {
    .name = "gemm",
    .type = TYPE,
    .inputs = 2,
    .input_name = {"A", "B"},
    .output_name = "C",
    .function = FUNCTION,
    .input_bytes = input_bytes,
    .output_bytes = output_bytes,
    .values = values,
    .values_count = sizeof values / sizeof values[0],
    .timed = VALUES_UNIFORM,
    .generate = generate,
    .expect = expect,
    .certify = certify,
    .compare = compare,
    .error_most = ERROR_MOST / (double)(UINT64_C(1) << MANTISSA),
    .poison = poison,
    .operations = gemm_operations,
    .bytes = bytes,
};
