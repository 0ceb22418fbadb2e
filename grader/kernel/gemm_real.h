/*
 * gemm_real.h - the dense product of floating-point numbers. It is included once for each type, by
 * a file that defines
 *
 *   REAL, WIDER        the type of the elements, and the one for the right answer
 *   MANTISSA           bits of a REAL: 24 or 53
 *   UNIFORM            random_uniform_f32 or random_uniform_f64
 *   SELF, TYPE, FUNCTION
 *
 * Exact values are integers so small that no partial sum needs more than MANTISSA - 4 bits. So
 * every order of summation is exact. The 4 spare bits are for Strassen's algorithm, which adds
 * elements before it multiplies. A kernel that computes with fewer bits, or drops a term, is wrong.
 * Rounded values are -1 .. 1 with all bits.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "base/strbuf.h"
#include "kernel/exact.h"
#include "kernel/gemm.h"
#include "kernel/random_stream.h"

enum {
    BITS = MANTISSA - 4,     /* of a partial sum of exact values */
    WIDE = MANTISSA / 2 + 1, /* of the wide input: 13, or 27 */
    SAMPLED_ROWS = 32,
};

struct dims {
    size_t m, n, k;
};

static struct dims dims_of(struct shape s)
{
    return (struct dims){(size_t)s.dim[GEMM_M], (size_t)s.dim[GEMM_N], (size_t)s.dim[GEMM_K]};
}

static size_t elements_in(struct shape s, int i)
{
    return operand_elements(&SELF.in[i], s);
}

/* --- values ----------------------------------------------------------------------------------- */

static int balanced_bits(int k, int i)
{
    return exact_factor_bits(BITS - exact_sum_bits(k), i);
}

static void fill_balanced(struct shape s, struct random_stream *random, int i, REAL *x)
{
    const int bits = balanced_bits(s.dim[GEMM_K], i);
    for (struct random_span p = {0}; random_span_next(&p, random, (uint32_t)elements_in(s, i));)
        for (uint32_t j = 0; j < p.count; j++)
            x[p.first + j] = (REAL)random_whole(p.word[j], bits);
}

/* The wide input has WIDE bits, and the other one what is left. If this is less than one bit, the
 * other one is zero but for so many k that sums do not get too long. */
static void fill_wide(struct shape s, struct random_stream *random, int i, int wide, REAL *x)
{
    const uint32_t cols = (uint32_t)operand_cols(&SELF.in[i], s), n = (uint32_t)elements_in(s, i);
    const int depth = s.dim[GEMM_K], left = BITS - WIDE - exact_sum_bits(depth);
    const int narrow = left < 1 ? 1 : left > 10 ? 10 : left;
    const int summands = 1 << (BITS - WIDE - 1);
    const uint32_t every = (uint32_t)((depth + summands - 1) / summands);
    for (uint32_t j = 0; j < n; j++) {
        const uint32_t k = i == 0 ? j % cols : j / cols, word = random_stream_word(random, j);
        if (i == wide)
            x[j] = (REAL)random_whole(word, WIDE);
        else
            x[j] = k % every == 0 ? (REAL)random_whole(word, narrow) : 0;
    }
}

/* Powers of two by which graded rows and columns are scaled, 0 .. so many. Two bits are left for
 * the elements of either input. The scales count as bits: Strassen's algorithm adds rows and
 * columns that have different ones. */
static int graded_scales(int k)
{
    const int most = (BITS - exact_sum_bits(k) - 4) / 2;
    return most < 0 ? 0 : most > 15 ? 15 : most;
}

/* Rows of A and columns of B are scaled by powers of two. */
static void fill_graded(struct shape s, struct random_stream *random, struct random_stream *line,
                        int i, REAL *x)
{
    const uint32_t rows = (uint32_t)operand_rows(&SELF.in[i], s);
    const uint32_t cols = (uint32_t)operand_cols(&SELF.in[i], s);
    const int scales = graded_scales(s.dim[GEMM_K]);
    const int bits = exact_factor_bits(BITS - exact_sum_bits(s.dim[GEMM_K]) - 2 * scales, i);
    for (uint32_t r = 0; r < rows; r++)
        for (uint32_t c = 0; c < cols; c++) {
            const uint32_t at = r * cols + c, of_line = random_stream_word(line, i == 0 ? r : c);
            const double scale = (double)(1U << (of_line >> 16) % (uint32_t)(scales + 1));
            x[at] = (REAL)(random_whole(random_stream_word(random, at), bits) * scale);
        }
}

/* Every second column of A is the one before it with the other sign. Every second row of B is the
 * one before it plus -1, 0 or 1. So nearly all of a sum cancels. */
static void fill_cancelling(struct shape s, struct random_stream *random,
                            struct random_stream *other, int i, REAL *x)
{
    const uint32_t rows = (uint32_t)operand_rows(&SELF.in[i], s);
    const uint32_t cols = (uint32_t)operand_cols(&SELF.in[i], s);
    const int bits = balanced_bits(s.dim[GEMM_K], i), least = bits > 1 ? bits - 1 : 1;
    for (uint32_t r = 0; r < rows; r++)
        for (uint32_t c = 0; c < cols; c++) {
            const uint32_t at = r * cols + c;
            const uint32_t before = i == 0 ? at - (c & 1) : at - (r & 1) * cols;
            const REAL value = (REAL)random_whole(random_stream_word(random, before), least);
            if (before == at)
                x[at] = value;
            else
                x[at] =
                    i == 0 ? -value : value + (REAL)(int)(random_stream_word(other, at) % 3) - 1;
        }
}

static void generate(const struct kernel *k, struct shape s, enum value_dist values, uint64_t seed,
                     int i, void *dst)
{
    (void)k;
    struct random_stream random, other;
    random_stream_init(&random, seed, i, 0);
    random_stream_init(&other, seed, i, 1);
    switch (values) {
    case VALUES_WIDE_LEFT:
    case VALUES_WIDE_RIGHT:
        fill_wide(s, &random, i, values == VALUES_WIDE_RIGHT, dst);
        return;
    case VALUES_GRADED:
        fill_graded(s, &random, &other, i, dst);
        return;
    case VALUES_CANCELLING:
        fill_cancelling(s, &random, &other, i, dst);
        return;
    case VALUES_UNIFORM:
        UNIFORM(&random, 0, (uint32_t)elements_in(s, i), dst);
        return;
    default:
        fill_balanced(s, &random, i, dst);
        return;
    }
}

/* --- the right answer ------------------------------------------------------------------------- */

/* One row of the product. sum: room for n. */
static void expect_row(struct dims d, const REAL *a, const REAL *b, WIDER *sum, REAL *out)
{
    for (size_t j = 0; j < d.n; j++)
        sum[j] = 0;
    for (size_t k = 0; k < d.k; k++) {
        const WIDER x = a[k];
        for (size_t j = 0; j < d.n; j++)
            sum[j] += x * (WIDER)b[k * d.n + j];
    }
    for (size_t j = 0; j < d.n; j++)
        out[j] = (REAL)sum[j];
}

static void expect(struct shape s, const void *const in[], void *out)
{
    const REAL *a = in[0];
    REAL *c = out;
    const struct dims d = dims_of(s);
    WIDER *sum = xcalloc(d.n, sizeof *sum);
    for (size_t i = 0; i < d.m; i++)
        expect_row(d, a + i * d.k, in[1], sum, c + i * d.n);
    free(sum);
}

/* Replace norms below the root mean square of all by it. Algorithms such as Strassen's add rows to
 * each other, so the error of a small row is as large as that of the others. Norms differ much for
 * a small K only. */
static void raise_small_norms(size_t n, double *norm)
{
    double squares = 0;
    for (size_t i = 0; i < n; i++)
        squares += norm[i] * norm[i];
    for (size_t i = 0; i < n; i++)
        norm[i] = fmax(norm[i], sqrt(squares / (double)n));
}

/* The norms of the rows of A and of the columns of B. Errors are bounded by multiples of
 * sum_k |a_ik| |b_kj| (N. J. Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed.,
 * section 3.5), and that sum is at most |a_i| |b_j| (Cauchy and Schwarz). */
static void scale(struct shape s, const void *const in[], double *row, double *col)
{
    const struct dims d = dims_of(s);
    const REAL *a = in[0], *b = in[1];
    for (size_t i = 0; i < d.m; i++) {
        double sum = 0;
        for (size_t k = 0; k < d.k; k++)
            sum += (double)a[i * d.k + k] * (double)a[i * d.k + k];
        row[i] = sqrt(sum);
    }
    for (size_t j = 0; j < d.n; j++)
        col[j] = 0;
    for (size_t k = 0; k < d.k; k++)
        for (size_t j = 0; j < d.n; j++)
            col[j] += (double)b[k * d.n + j] * (double)b[k * d.n + j];
    for (size_t j = 0; j < d.n; j++)
        col[j] = sqrt(col[j]);
    raise_small_norms(d.m, row);
    raise_small_norms(d.n, col);
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
    const struct dims d = dims_of(c->shape);
    const size_t m = d.m, n = d.n, k = d.k;
    uint64_t *r = xcalloc(n + k + m + m, sizeof *r), *br = r + n, *abr = br + k, *cr = abr + m;
    for (size_t j = 0; j < n; j++)
        r[j] = reduce(rng_at(seed, j));
    const bool right = times_vector(k, n, c->in[1], r, br) &&
                       times_vector(m, k, c->in[0], br, abr) && times_vector(m, n, c->got, r, cr) &&
                       memcmp(abr, cr, m * sizeof *cr) == 0;
    free(r);
    return right;
}

/* Some rows of A and of the result are a small problem of their own. */
static bool certify_rounded(const struct comparison *c, uint64_t seed)
{
    const struct dims d = dims_of(c->shape);
    const REAL *a = c->in[0], *got = c->got;
    REAL *rows = xcalloc(SAMPLED_ROWS * (d.k + 2 * d.n), sizeof *rows);
    REAL *got_rows = rows + SAMPLED_ROWS * d.k, *right = got_rows + SAMPLED_ROWS * d.n;
    for (uint64_t i = 0; i < SAMPLED_ROWS; i++) {
        const size_t at = rng_at(seed, i) % d.m;
        memcpy(rows + i * d.k, a + at * d.k, d.k * sizeof *rows);
        memcpy(got_rows + i * d.n, got + at * d.n, d.n * sizeof *rows);
    }
    const void *const in[] = {rows, c->in[1]};
    const struct comparison sample = {
        .shape = {.dim = {SAMPLED_ROWS, (int)d.n, (int)d.k}},
        .values = c->values,
        .in = in,
        .expected = right,
        .got = got_rows,
    };
    struct mismatch m;
    struct accuracy accuracy;
    expect(sample.shape, in, right);
    const bool is_right = kernel_compare(&SELF, &sample, &m, &accuracy) == 0;
    free(rows);
    return is_right;
}

static bool certify(const struct comparison *c, uint64_t seed)
{
    return value_dist_exact(c->values) ? certify_exact(c, seed) : certify_rounded(c, seed);
}

/* --- shortcuts -------------------------------------------------------------------------------- */

#if MANTISSA == 24
/* Units for 16-bit numbers multiply faster than those for floats. A float is split into two
 * bfloat16 numbers, of 8 bits each, and the product of the two low parts is left out. */
enum { HALF = 8, DOUBLE_BITS = 53 };

/* Without the bits of the mantissa after the first HALF ones. */
static double cut(double x)
{
    uint64_t word;
    memcpy(&word, &x, sizeof word);
    word &= ~((UINT64_C(1) << (DOUBLE_BITS - HALF)) - 1);
    memcpy(&x, &word, sizeof x);
    return x;
}

static double rounded(double x)
{
    uint64_t word;
    memcpy(&word, &x, sizeof word);
    word += UINT64_C(1) << (DOUBLE_BITS - HALF - 1);
    memcpy(&x, &word, sizeof x);
    return cut(x);
}

/* By which the sum of such products differs from the right one. The first bit of `way`: the high
 * part is cut off, not rounded; the second one: so is the low part. */
static double error_of_halves(struct shape s, const void *const in[], size_t row, size_t col,
                              int way)
{
    double (*const high)(double) = way & 1 ? cut : rounded;
    double (*const low)(double) = way & 2 ? cut : rounded;
    const struct dims d = dims_of(s);
    const REAL *a = (const REAL *)in[0] + row * d.k, *b = (const REAL *)in[1] + col;
    double error = 0;
    for (size_t k = 0; k < d.k; k++) {
        const double x = a[k], y = b[k * d.n], xh = high(x), yh = high(y);
        const double xl = low(x - xh), yl = low(y - yh);
        error += xh * yh + xh * yl + xl * yh - x * y;
    }
    return error;
}

static const struct shortcut halves = {
    "computes with pairs of bfloat16 numbers, which hold 16 bits", 4, error_of_halves};
#define SHORTCUT &halves
#else
#define SHORTCUT NULL
#endif

/* --- the kernel ------------------------------------------------------------------------------- */

static const enum value_dist values[] = {VALUES_BALANCED,   VALUES_UNIFORM, VALUES_WIDE_LEFT,
                                         VALUES_WIDE_RIGHT, VALUES_GRADED,  VALUES_CANCELLING};

static const char *explain(const struct comparison *c, const unsigned char *facts)
{
    return gemm_explain_operands(c, TYPE, facts);
}

const struct kernel SELF = {
    GEMM_DATA(TYPE),         .function = FUNCTION,
    .values = values,        .values_count = sizeof values / sizeof values[0],
    .timed = VALUES_UNIFORM, .generate = generate,
    .expect = expect,        .scale = scale,
    .certify = certify,      .shortcut = SHORTCUT,
    .explain = explain,
};
