/* Linked with one reference tier of the sparse product at a time, or, with TIER_LANES, with the
 * loops of rows.h for one length of vectors. The product must equal the definition on every
 * structure and number of columns; elements beside Y must stay as they were. */
#include "unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "spmm.h"

enum { CANARY = 64 };

struct csr {
    int M, N, nnz, width; /* width: entries of the longest row */
    int *row_start, *col;
    double *val;
};

static uint64_t state = 12345;

static int draw(int below)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (int)((state >> 33) % (uint64_t)below);
}

static void *room(size_t bytes)
{
    void *p = aligned_alloc(64, bytes / 64 * 64 + 64);
    assert_non_null(p);
    return p;
}

#ifdef TIER_ELL
/* The same matrix in ELLPACK. */
static void multiply(const struct csr *a, int K, const double *X, double *Y)
{
    const size_t n = (size_t)a->M * (size_t)a->width;
    int *col = room(n * sizeof *col);
    double *val = room(n * sizeof *val);
    size_t to = 0;
    for (int i = 0; i < a->M; i++) {
        int last = 0;
        for (int e = 0; e < a->width; e++, to++) {
            const int p = a->row_start[i] + e, used = p < a->row_start[i + 1];
            last = used ? a->col[p] : last;
            col[to] = last;
            val[to] = used ? a->val[p] : 0;
        }
    }
    spmm_ell_f64(a->M, a->N, K, a->width, col, val, X, Y);
    free(col);
    free(val);
}
#elif defined(TIER_LANES)
#include "pieces.h"

#if TIER_LANES == 8
#define ROWS spmm_rows_8
#define NEEDS "avx512f"
#else
#define ROWS spmm_rows_4
#define NEEDS "avx2"
#endif

/* Rows in two halves, as pieces do. */
static void multiply(const struct csr *a, int K, const double *X, double *Y)
{
    if (!__builtin_cpu_supports(NEEDS))
        skip();
    const struct spmm_product p = {.M = a->M,
                                   .K = K,
                                   .row_start = a->row_start,
                                   .col = a->col,
                                   .val = a->val,
                                   .X = X,
                                   .Y = Y,
                                   .entries = (size_t)a->nnz};
    ROWS(&p, spmm_fetches(&p), 0, a->M / 2);
    ROWS(&p, spmm_fetches(&p), a->M / 2, a->M);
}
#else
static void multiply(const struct csr *a, int K, const double *X, double *Y)
{
    spmm_csr_f64(a->M, a->N, K, a->nnz, a->row_start, a->col, a->val, X, Y);
}
#endif

/* Entries of each row: a number, with some rows made special. */
enum kind {
    SAME,
    RANDOM,      /* 0 to n - 1 */
    FIRST_EMPTY, /* the first half of the rows has none */
    LAST_EMPTY,
    ONE_DENSE, /* the third row has an entry in every column */
    BAND,      /* n neighbouring columns, which move by one from row to row */
};

static int entries_of(enum kind kind, int n, int i, int M, int N)
{
    switch (kind) {
    case RANDOM:
        n = draw(n);
        break;
    case FIRST_EMPTY:
        n = i < M / 2 ? 0 : n;
        break;
    case LAST_EMPTY:
        n = i < M / 2 ? n : 0;
        break;
    case ONE_DENSE:
        n = i == 2 ? N : n;
        break;
    case SAME:
    case BAND:
        break;
    }
    return n < N ? n : N;
}

static struct csr build(enum kind kind, int n, int M, int N)
{
    struct csr a = {.M = M, .N = N};
    a.row_start = room(((size_t)M + 1) * sizeof(int));
    a.col = room(((size_t)M * (size_t)n + (size_t)N) * sizeof(int));
    for (int i = 0; i < M; i++) {
        const int wanted = entries_of(kind, n, i, M, N);
        a.row_start[i] = a.nnz;
        for (int c = kind == BAND ? i % N : 0; c < N && a.nnz - a.row_start[i] < wanted; c++)
            if (kind == BAND || draw(N - c) < wanted - (a.nnz - a.row_start[i]))
                a.col[a.nnz++] = c;
        if (a.nnz - a.row_start[i] > a.width)
            a.width = a.nnz - a.row_start[i];
    }
    a.row_start[M] = a.nnz;
    a.val = room((size_t)a.nnz * sizeof(double));
    for (int p = 0; p < a.nnz; p++)
        a.val[p] = draw(8) - 8;
    return a;
}

static void check(enum kind kind, int n, int M, int N, int K)
{
    const size_t size = (size_t)M * (size_t)K, k = (size_t)K;
    struct csr a = build(kind, n, M, N);
    double *X = room((size_t)N * k * sizeof *X), *want = room(size * sizeof *want);
    double *space = room((size + 2 * (size_t)CANARY) * sizeof *space);
    for (size_t i = 0; i < (size_t)N * k; i++)
        X[i] = draw(1000);
    for (size_t i = 0; i < size + 2 * (size_t)CANARY; i++)
        space[i] = NAN;
    for (size_t i = 0; i < size; i++)
        want[i] = 0;
    for (int i = 0; i < M; i++)
        for (int p = a.row_start[i]; p < a.row_start[i + 1]; p++)
            for (size_t c = 0; c < k; c++)
                want[(size_t)i * k + c] += a.val[p] * X[(size_t)a.col[p] * k + c];
    multiply(&a, K, X, space + CANARY);
    for (size_t i = 0; i < size; i++)
        if (!(space[CANARY + i] == want[i]))
            fail_msg("kind %d, %d entries, %d x %d, K = %d: row %zu, column %zu is %g, not %g",
                     (int)kind, n, M, N, K, i / k, i % k, space[CANARY + i], want[i]);
    for (size_t i = 0; i < CANARY; i++)
        if (!isnan(space[i]) || !isnan(space[CANARY + size + i]))
            fail_msg("kind %d, %d x %d, K = %d: wrote outside Y", (int)kind, M, N, K);
    free(a.row_start);
    free(a.col);
    free(a.val);
    free(X);
    free(want);
    free(space);
}

TEST(every_structure)
{
    static const struct {
        enum kind kind;
        int n, M, N;
    } structures[] = {
        {SAME, 0, 1, 1},          {SAME, 1, 1, 1},         {SAME, 0, 40, 40},
        {SAME, 5, 100, 90},       {SAME, 20, 64, 300},     {RANDOM, 12, 200, 150},
        {FIRST_EMPTY, 7, 50, 60}, {LAST_EMPTY, 7, 51, 60}, {ONE_DENSE, 3, 30, 500},
        {BAND, 5, 300, 320},      {RANDOM, 2, 500, 1},     {SAME, 30, 3, 30},
    };
    static const int columns[] = {1,  2,  3,  4,  5,  7,  8,  9,  12, 15,  16, 17,
                                  24, 31, 32, 33, 48, 63, 64, 65, 72, 100, 129};
    for (size_t s = 0; s < sizeof structures / sizeof structures[0]; s++)
        for (size_t c = 0; c < sizeof columns / sizeof columns[0]; c++)
            check(structures[s].kind, structures[s].n, structures[s].M, structures[s].N,
                  columns[c]);
}

/* Y is so large that it is written past the caches. */
TEST(large_results)
{
    check(BAND, 3, 300000, 300000, 8);
    check(RANDOM, 5, 33000, 500, 64);
    check(RANDOM, 5, 22000, 500, 100);
}

TESTS(NULL, NULL)
