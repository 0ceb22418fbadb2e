/* The product of a sparse and a dense matrix: sizes, both ways to store the matrix, values, and the
 * mistakes that are named. */
#include "unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "kernel/kernel.h"
#include "kernel/spmm.h"

static const struct kernel *const csr = &kernel_spmm_csr_f64, *const ell = &kernel_spmm_ell_f64;

TEST(sizes_refused)
{
    static const struct {
        const char *text, *says;
    } table[] = {
        {"", "is not a size; write STRUCTURE:300x20x4000 for M x N x K"},
        {"1000x8", "is not a size"},
        {":1000x8", "is not a structure"},
        {"uniform-20", "is not a size"},
        {"uniform-20:", "is not a size"},
        {"uniform-20:100x8", "is not a size"},
        {"uniform-20:1x2x3x4", "is not a size"},
        {"uniform-20:0x2x3", "is not a size"},
        {"poisson:100x100x8", "Square ones (poisson, rmat) have no N: poisson:300x4000"},
        {"cubic:100x8", "'cubic' is not a structure"},
        {"rmat-16:262144x8", "col would have 262144 x "},
        {"uniform-1:65536x1x65536", "Y would have 65536 x 65536 elements"},
        {"uniform-100000:65536x65536x1", "A would have 4294967296 nonzero entries"},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct shape s;
        struct err e = ERR_INIT;
        if (kernel_shape(ell, table[i].text, NULL, &s, &e) == 0)
            fail_msg("'%s' was accepted", table[i].text);
        assert_int_equal(e.kind, ERR_INPUT);
        if (!strstr(e.text, table[i].says))
            fail_msg("'%s': said '%s', not '%s'", table[i].text, e.text, table[i].says);
    }
}

TEST(sizes_taken)
{
    static const struct {
        const char *text, *back;
        int dim[3], nnz, width;
    } table[] = {
        {"poisson:100x8", "poisson:100x8", {100, 100, 8}, 460, 5},
        {"poisson:16", "poisson:16", {16, 16, 16}, 64, 5},
        {"uniform-20:300x200x8", "uniform-20:300x200x8", {300, 200, 8}, 6000, 20},
        {"uniform-20:300x300x8", "uniform-20:300x300x8", {300, 300, 8}, 6000, 20},
        {"uniform-20:10", "uniform-20:10", {10, 10, 10}, 100, 10},
        {"dense-row:5x40x1", "dense-row:5x40x1", {5, 40, 1}, 44, 40},
        {"empty:5x40x1", "empty:5x40x1", {5, 40, 1}, 0, 0},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct shape s;
        struct err e = ERR_INIT;
        char text[SHAPE_TEXT];
        if (kernel_shape(csr, table[i].text, NULL, &s, &e) != 0)
            fail_msg("'%s': %s", table[i].text, e.text);
        assert_memory_equal(s.dim, table[i].dim, sizeof table[i].dim);
        assert_int_equal(shape_extent(s, SPMM_NNZ), table[i].nnz);
        assert_int_equal(shape_extent(s, SPMM_WIDTH), table[i].width);
        shape_format(s, text);
        assert_string_equal(text, table[i].back);
    }
    struct shape s;
    assert_int_equal(kernel_shape(csr, "rmat-16:262144x8", NULL, &s, NULL), 0);
    assert_int_equal(kernel_takes(ell, s, NULL), -1);
    assert_true(s.fact[0] > 0.99); /* padding */
    OWNED char *text = kernel_shape_text(ell, (struct shape){.dim = {5, 6, 7}, .derived = {8, 9}});
    assert_string_equal(text, ", 5 x 6 x 7 (M x N x K), nnz = 8, width = 9");
}

/* What must be moved at least is less than what is stored: padding, and rows of X without entries,
 * need not be read. */
TEST(bytes)
{
    const struct kernel *const kernels[] = {csr, ell};
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < csr->edges_count; i++) {
            struct shape s = csr->edges[i];
            assert_int_equal(kernel_complete(kernels[k], &s, NULL), 0);
            assert_true(kernel_least_bytes(kernels[k], s) <= kernel_bytes(kernels[k], s));
        }
    struct shape s;
    assert_int_equal(kernel_shape(ell, "dense-row:10x40x2", NULL, &s, NULL), 0);
    assert_true(kernel_bytes(ell, s) == 12 * 400 + 8 * 80 + 8 * 20);
    assert_true(kernel_least_bytes(ell, s) == 12 * 49 + 8 * 80 + 8 * 20);
}

/* The longest text fits. */
TEST(longest)
{
    char text[SHAPE_TEXT];
    const struct shape s = {.dim = {2147483646, 2147483647, 2147483645, 2147483644},
                            .structure = {.family = STRUCTURE_UNIFORM, .parameter = 2147483647}};
    shape_format(s, text);
    assert_string_equal(text, "uniform-2147483647:2147483646x2147483647x2147483645x2147483644");
}

/* The inputs of a kernel, its result, and room for another one. */
struct problem {
    struct shape shape;
    enum value_dist values;
    void *in[KERNEL_MAX_INPUTS];
    double *right, *got;
};

static void make(struct problem *p, const struct kernel *k, const char *size, enum value_dist v)
{
    *p = (struct problem){.values = v};
    assert_int_equal(kernel_shape(k, size, NULL, &p->shape, NULL), 0);
    for (int i = 0; i < k->inputs; i++) {
        p->in[i] = xcalloc(operand_bytes(&k->in[i], p->shape) + 1, 1);
        k->generate(k, p->shape, v, 99, i, p->in[i]);
    }
    p->right = xcalloc(operand_elements(&k->out, p->shape), sizeof *p->right);
    p->got = xcalloc(operand_elements(&k->out, p->shape), sizeof *p->got);
    k->expect(p->shape, (const void *const *)p->in, p->right);
}

static void discard(struct problem *p)
{
    for (int i = 0; i < KERNEL_MAX_INPUTS; i++)
        free(p->in[i]);
    free(p->right);
    free(p->got);
}

/* A case is the same matrix in both kernels. */
TEST(same_matrix)
{
    static const char *const sizes[] = {"poisson:100x3", "gaps:60x40x2", "rmat-4:64x5",
                                        "dense-row:9x33x2", "empty:3x2x1"};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        for (int v = 0; v < SPMM_VALUES; v++) {
            struct problem a, b;
            make(&a, csr, sizes[i], spmm_values[v]);
            make(&b, ell, sizes[i], spmm_values[v]);
            assert_memory_equal(a.right, b.right, operand_bytes(&csr->out, a.shape));
            discard(&a);
            discard(&b);
        }
}

/* Each run has its own places of the entries, and as many of them. */
TEST(places_change)
{
    const struct kernel *const kernels[] = {csr, ell};
    for (int k = 0; k < 2; k++) {
        struct shape s;
        assert_int_equal(kernel_shape(kernels[k], "rmat-4:300x2", NULL, &s, NULL), 0);
        for (int i = 0; i < kernels[k]->inputs; i++) {
            const size_t bytes = operand_bytes(&kernels[k]->in[i], s);
            OWNED int *a = xcalloc(bytes, 1), *b = xcalloc(bytes, 1);
            kernels[k]->generate(kernels[k], s, VALUES_UNIFORM, 1, i, a);
            kernels[k]->generate(kernels[k], s, VALUES_UNIFORM, 2, i, b);
            assert_memory_not_equal(a, b, bytes);
        }
    }
}

/* By the definition, with the matrix in full. */
TEST(definition)
{
    struct problem p;
    make(&p, csr, "rmat-4:33x7", VALUES_BALANCED);
    enum { M = 33, K = 7 };
    const int *row_start = p.in[0], *col = p.in[1];
    const double *val = p.in[2], *x = p.in[3];
    double full[M][M] = {{0}};
    assert_int_equal(row_start[0], 0);
    assert_int_equal(row_start[M], shape_extent(p.shape, SPMM_NNZ));
    for (int i = 0; i < M; i++)
        for (int e = row_start[i]; e < row_start[i + 1]; e++)
            full[i][col[e]] = val[e];
    for (int i = 0; i < M; i++)
        for (int j = 0; j < K; j++) {
            double sum = 0;
            for (int k = M; k-- > 0;)
                sum += full[i][k] * x[k * K + j];
            assert_true(sum == p.right[i * K + j]);
        }
    discard(&p);
}

/* The padding of ELLPACK. */
TEST(padding)
{
    struct problem p;
    make(&p, ell, "gaps:60x40x2", VALUES_BALANCED);
    const int *col = p.in[0], width = shape_extent(p.shape, SPMM_WIDTH);
    const double *val = p.in[1];
    for (int i = 0; i < 60; i++) {
        int n = 0;
        while (n < width && val[i * width + n] != 0)
            n++;
        for (int e = n; e < width; e++) {
            assert_true(val[i * width + e] == 0);
            assert_int_equal(col[i * width + e], n ? col[i * width + n - 1] : 0);
        }
    }
    discard(&p);
}

static char *described(struct problem *p, const struct kernel *k, uint64_t poison)
{
    struct mismatch m;
    struct accuracy a;
    const struct comparison c = {.shape = p->shape,
                                 .values = p->values,
                                 .in = (const void *const *)p->in,
                                 .expected = p->right,
                                 .got = p->got,
                                 .poison = poison,
                                 .launch = {1, 1}};
    assert_true(kernel_compare(k, &c, &m, &a) > 0);
    return xstrdup(m.pattern);
}

static void assert_described(struct problem *p, const struct kernel *k, uint64_t poison,
                             const char *says)
{
    OWNED char *text = described(p, k, poison);
    if (!strstr(text, says))
        fail_msg("'%s' does not say '%s'", text, says);
    discard(p);
}

TEST(unwritten_empty_rows)
{
    const uint64_t poison = kernel_poison_pattern(csr, UINT64_C(0x9e3779b97f4a7c15));
    struct problem p;
    make(&p, csr, "gaps:60x40x2", VALUES_UNIFORM);
    memcpy(p.got, p.right, 120 * sizeof *p.got);
    kernel_poison(p.got + 114, 6 * sizeof *p.got, poison); /* the last three rows */
    assert_described(&p, csr, poison, "never written; these rows of A have no entries");
}

TEST(another_mistake)
{
    struct problem p;
    make(&p, csr, "gaps:60x40x2", VALUES_UNIFORM);
    memcpy(p.got, p.right, 120 * sizeof *p.got);
    for (int i = 0; i < 120; i++)
        p.got[i] += 1; /* in rows with entries as well */
    OWNED char *text = described(&p, csr, 0);
    assert_null(strstr(text, "no entries"));
    discard(&p);
}

TEST(sums_in_int)
{
    struct problem p;
    make(&p, csr, "uniform-5:60x40x2", VALUES_BALANCED);
    for (int i = 0; i < 120; i++)
        p.got[i] = INT32_MIN;
    assert_described(&p, csr, 0, "converted to int");
}

/* Mistakes in the indices of X, Y and the entries, which both ways to store A know. */
TEST(indices)
{
    static const struct {
        const char *says;
        int first, last; /* entries of each row that are left out */
        bool x_by_columns, y_by_columns;
    } table[] = {
        {"X is read by columns", 0, 0, true, false},
        {"the result is transposed", 0, 0, false, true},
        {"X is read by columns, and Y is written by columns", 0, 0, true, true},
        {"the last entry of each row is left out", 0, 1, false, false},
        {"the first entry of each row is left out", 1, 0, false, false},
    };
    enum { M = 20, N = 30, K = 7 };
    for (size_t t = 0; t < sizeof table / sizeof table[0]; t++)
        for (int of = 0; of < 4; of++) {
            struct problem p;
            make(&p, of % 2 ? csr : ell, "uniform-5:20x30x7",
                 of < 2 ? VALUES_BALANCED : VALUES_UNIFORM);
            const int *start = of % 2 ? p.in[0] : NULL, *col = p.in[of % 2];
            const double *val = p.in[of % 2 + 1], *x = p.in[of % 2 + 2];
            const int width = shape_extent(p.shape, SPMM_WIDTH);
            for (int i = 0; i < M; i++)
                for (int j = 0; j < K; j++) {
                    double *y = p.got + (table[t].y_by_columns ? j * M + i : i * K + j);
                    const int from = start ? start[i] : i * width;
                    const int to = start ? start[i + 1] : (i + 1) * width;
                    *y = 0;
                    for (int e = to - table[t].last - 1; e >= from + table[t].first; e--)
                        *y += val[e] * x[table[t].x_by_columns ? j * N + col[e] : col[e] * K + j];
                }
            assert_described(&p, of % 2 ? csr : ell, 0, table[t].says);
        }
}

/* With one column, X is the same by columns. */
TEST(indices_of_one_column)
{
    struct problem p;
    make(&p, csr, "uniform-1:2x1x2", VALUES_BALANCED);
    for (int i = 0; i < 4; i++)
        p.got[i % 2 * 2 + i / 2] = p.right[i];
    char *text = described(&p, csr, 0);
    assert_string_equal(text, "the result is transposed");
    free(text);
    discard(&p);
}

/* A product of ELLPACK that looks for entry e of row i at row * i + entry * e. */
static void wrong_places(struct problem *p, int row, int entry)
{
    const int m = p->shape.dim[SPMM_M], k = p->shape.dim[SPMM_K];
    const int *col = p->in[0], width = shape_extent(p->shape, SPMM_WIDTH);
    const double *val = p->in[1], *x = p->in[2];
    for (int i = 0; i < m; i++)
        for (int j = 0; j < k; j++)
            for (int e = 0; e < width; e++) {
                const int at = row * i + entry * e;
                p->got[i * k + j] += val[at] * x[col[at] * k + j];
            }
}

TEST(by_columns)
{
    struct problem p;
    make(&p, ell, "uniform-5:60x40x2", VALUES_BALANCED);
    wrong_places(&p, 1, 60);
    assert_described(&p, ell, 0, "it is at i * width + e");
}

TEST(as_csr)
{
    struct problem p;
    make(&p, ell, "banded-2:30x30x2", VALUES_BALANCED);
    const int *col = p.in[0], width = shape_extent(p.shape, SPMM_WIDTH);
    const double *val = p.in[1], *x = p.in[2];
    for (int i = 0, at = 0; i < 30; i++) {
        int n = width;
        while (n && val[i * width + n - 1] == 0)
            n--;
        for (int e = 0; e < n; e++, at++)
            for (int j = 0; j < 2; j++)
                p.got[i * 2 + j] += val[at] * x[col[at] * 2 + j];
    }
    assert_described(&p, ell, 0, "in ELLPACK, row i starts at i * width");
}

/* A float does not have enough bits for the products, nor for one of the factors. */
TEST(floats_are_wrong)
{
    for (int v = 0; v < SPMM_VALUES; v++) {
        struct problem p;
        make(&p, csr, "uniform-20:60x40x2", spmm_values[v]);
        for (int i = 0; i < 120; i++)
            p.got[i] = (double)(float)p.right[i];
        free(described(&p, csr, 0));
        discard(&p);
    }
}

/* The unit of errors: a plain sum in double has errors of about 1, and every one is accepted. */
TEST(plain_sums)
{
    static const char *const sizes[] = {"poisson:900x8", "uniform-20:500x400x8", "rmat-16:512x8",
                                        "dense-row:200x3000x4"};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        struct problem p;
        struct mismatch m;
        struct accuracy a;
        make(&p, csr, sizes[i], VALUES_UNIFORM);
        const int *row_start = p.in[0], *col = p.in[1], k = p.shape.dim[SPMM_K];
        const double *val = p.in[2], *x = p.in[3];
        for (int r = 0; r < p.shape.dim[SPMM_M]; r++)
            for (int e = row_start[r]; e < row_start[r + 1]; e++)
                for (int j = 0; j < k; j++)
                    p.got[r * k + j] += val[e] * x[col[e] * k + j];
        const struct comparison c = {.shape = p.shape,
                                     .values = p.values,
                                     .in = (const void *const *)p.in,
                                     .expected = p.right,
                                     .got = p.got,
                                     .launch = {1, 1}};
        assert_int_equal(kernel_compare(csr, &c, &m, &a), 0);
        assert_true(a.rms > 0.02 && a.rms < 2);
        assert_true(a.max < 16);
        discard(&p);
    }
}

TESTS(NULL, NULL)
