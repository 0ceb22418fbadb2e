/*
 * The product of operands that are read in another way than they are stored: one of them
 * transposed, or with the row length of another matrix; or of a result that is stored so. If it is
 * the result, the mistake is known.
 */
#include <math.h>
#include <stdlib.h>

#include "kernel/gemm.h"
#include "kernel/pattern.h"

/* Fewer wrong elements may fit by chance; larger products take too long. */
enum { WRONG_LEAST = 3 };
#define OPERATIONS_MOST 4e7

/* Element (i, k) of A is read at i * ai + k * ak, element (k, j) of B at k * bk + j * bj, for k
 * from `from` to before `to`. */
struct reading {
    int ai, ak, bk, bj, from, to;
    const char *text;
};

/* One element of the product, and the sum of the magnitudes of its terms. */
static double sum_real(const struct comparison *c, enum element_type type, const struct reading *r,
                       size_t i, size_t j, double *size)
{
    double sum = 0;
    *size = 0;
    for (size_t k = (size_t)r->from; k < (size_t)r->to; k++) {
        const size_t a = i * (size_t)r->ai + k * (size_t)r->ak;
        const size_t b = k * (size_t)r->bk + j * (size_t)r->bj;
        const double x =
            type == TYPE_F32
                ? (double)((const float *)c->in[0])[a] * (double)((const float *)c->in[1])[b]
                : ((const double *)c->in[0])[a] * ((const double *)c->in[1])[b];
        sum += x;
        *size += fabs(x);
    }
    return sum;
}

static uint32_t sum_i32(const struct comparison *c, const struct reading *r, size_t i, size_t j)
{
    const uint32_t *x = c->in[0], *y = c->in[1];
    uint32_t sum = 0;
    for (size_t k = (size_t)r->from; k < (size_t)r->to; k++)
        sum += x[i * (size_t)r->ai + k * (size_t)r->ak] * y[k * (size_t)r->bk + j * (size_t)r->bj];
    return sum;
}

static bool gives(const struct comparison *c, enum element_type type, const struct reading *r,
                  size_t i, size_t j)
{
    const size_t at = i * (size_t)c->shape.dim[GEMM_N] + j;
    double size;
    if (type == TYPE_I32)
        return ((const uint32_t *)c->got)[at] == sum_i32(c, r, i, j);
    const double sum = sum_real(c, type, r, i, j, &size);
    const double got =
        type == TYPE_F32 ? (double)((const float *)c->got)[at] : ((const double *)c->got)[at];
    return fabs(got - sum) <= size * (type == TYPE_F32 ? 1e-5 : 1e-13);
}

/* Does the reading stay inside the matrices? */
static bool is_inside(const struct comparison *c, const struct reading *r)
{
    const double m = c->shape.dim[GEMM_M], n = c->shape.dim[GEMM_N], k = c->shape.dim[GEMM_K];
    return (m - 1) * r->ai + (k - 1) * r->ak < m * k && (k - 1) * r->bk + (n - 1) * r->bj < k * n;
}

/* The element that tells most is asked first: of those that are wrong, the last one. */
static bool explains(const struct comparison *c, enum element_type type, const struct reading *r,
                     size_t last)
{
    const size_t m = (size_t)c->shape.dim[GEMM_M], n = (size_t)c->shape.dim[GEMM_N];
    if (r->from >= r->to || !is_inside(c, r) || !gives(c, type, r, last / n, last % n))
        return false;
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j < n; j++)
            if (!gives(c, type, r, i, j))
                return false;
    return true;
}

/* Blocks of this many k: the sums of the last one only, and those without the rest. */
#define BLOCKS(b)                                                                                  \
    {k,                                                                                            \
     1,                                                                                            \
     n,                                                                                            \
     1,                                                                                            \
     k > (b) ? (k - 1) / (b) * (b) : k,                                                            \
     k,                                                                                            \
     "only the terms of the last block of k are there: the sums of blocks are assigned instead "   \
     "of added up"},                                                                               \
    {                                                                                              \
        k, 1, n, 1, 0, k % (b) ? k - k % (b) : 0,                                                  \
            "the terms of the rest after the last whole block of k are missing"                    \
    }

static double element(enum element_type type, const void *of, size_t at)
{
    return type == TYPE_I32   ? (double)((const int32_t *)of)[at]
           : type == TYPE_F32 ? (double)((const float *)of)[at]
                              : ((const double *)of)[at];
}

/* Was row i of C written at i * length, one row after the other? What comes later is on top. */
static bool is_written_with_rows_of(const struct comparison *c, enum element_type type, int length)
{
    const size_t m = (size_t)c->shape.dim[GEMM_M], n = (size_t)c->shape.dim[GEMM_N],
                 step = (size_t)length, end = (m - 1) * step + n;
    double allowed = 0;
    if (step >= n || m == 1)
        return false;
    for (size_t i = 0; i < m * n && type != TYPE_I32; i++)
        allowed = fmax(allowed, 1e-5 * fabs(element(type, c->expected, i)));
    for (size_t at = 0; at < end; at++) {
        const size_t row = at / step < m ? at / step : m - 1;
        const double want = element(type, c->expected, row * n + at - row * step);
        if (!(fabs(element(type, c->got, at) - want) <= allowed))
            return false;
    }
    return true;
}

/* Rows of C that are shorter than they should be. Longer ones end behind the matrix. If no rank has
 * two rows, displacements of a gather can be wrong instead. */
static const char *explain_output(const struct comparison *c, enum element_type type)
{
    if (c->launch.ranks > 1 && c->shape.dim[GEMM_M] <= c->launch.ranks)
        return NULL;
    if (is_written_with_rows_of(c, type, c->shape.dim[GEMM_K]))
        return "C is written with rows of K elements, and has rows of N: C[i * K + j]";
    if (is_written_with_rows_of(c, type, c->shape.dim[GEMM_M]))
        return "C is written with rows of M elements, and has rows of N: C[i * M + j]";
    return NULL;
}

const char *gemm_explain_operands(const struct comparison *c, enum element_type type,
                                  const unsigned char *facts)
{
    const int m = c->shape.dim[GEMM_M], n = c->shape.dim[GEMM_N], k = c->shape.dim[GEMM_K];
    const struct reading readings[] = {
        {k, 1, 1, k, 0, k, "this is A times the transposed B: B is read as B[j * K + k]"},
        {1, m, n, 1, 0, k, "this is the transposed A times B: A is read as A[k * M + i]"},
        {1, m, 1, k, 0, k,
         "this is the product of both matrices transposed: A is read as A[k * M + i], "
         "and B as B[j * K + k]"},
        {n, 1, n, 1, 0, k, "A is read with rows of N elements, and has rows of K: A[i * N + k]"},
        {m, 1, n, 1, 0, k, "A is read with rows of M elements, and has rows of K: A[i * M + k]"},
        {k, 1, k, 1, 0, k, "B is read with rows of K elements, and has rows of N: B[k * K + j]"},
        {k, 1, m, 1, 0, k, "B is read with rows of M elements, and has rows of N: B[k * M + j]"},
        {k, 1, n, 1, 1, k, "the terms with k = 0 are missing: a loop over k begins at 1"},
        {k, 1, n, 1, 0, k - 1, "the terms with the last k are missing: a loop over k ends early"},
        BLOCKS(4),
        BLOCKS(8),
        BLOCKS(16),
        BLOCKS(32),
        BLOCKS(64),
    };
    const size_t all = (size_t)m * (size_t)n;
    size_t wrong = 0, last = 0;
    for (size_t i = 0; i < all; i++)
        if (facts[i] & ELEMENT_WRONG) {
            wrong++;
            last = i;
        }
    if (!c->in || wrong < WRONG_LEAST || gemm_operations(NULL, c->shape) > OPERATIONS_MOST)
        return NULL;
    for (size_t i = 0; i < sizeof readings / sizeof readings[0]; i++)
        if (explains(c, type, &readings[i], last))
            return readings[i].text;
    return explain_output(c, type);
}
