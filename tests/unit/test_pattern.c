/* What a student reads about a wrong matrix. */
#include "base/strbuf.h"
#include "unit.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "kernel/kernel.h"
#include "kernel/pattern.h"
#include "kernel/value_pattern.h"

static const uint64_t poison = UINT64_C(0xa1a2a3a4b1b2b3b4);

struct damage {
    const char *name;
    int rows, cols;
    struct launch launch;
    int r0, r1, c0, c1; /* wrong block, inclusive */
    const char *says;
};

/* As the integer product says it. */
static void describe(int rows, int cols, const int32_t *want, const int32_t *got,
                     struct launch launch, struct mismatch *m)
{
    struct accuracy a;
    const struct comparison c = {
        .shape = {rows, cols, 1}, .expected = want, .got = got, .poison = poison, .launch = launch};
    kernel_compare(kernel_find("gemm", TYPE_I32), &c, m, &a);
}

static void fill(int32_t *m, int n)
{
    for (int i = 0; i < n; i++)
        m[i] = i * 7919 + 13;
}

TEST(blocks)
{
    static const struct damage table[] = {
        ROW("everything", 5, 7, {1, 1, 1, 0}, 0, 4, 0, 6, "every element"),
        ROW("last columns", 9, 19, {1, 1, 1, 0}, 0, 8, 16, 18,
            "only the last 3 columns (16..18): N = 19 is not a multiple of 8"),
        ROW("behind an array of 64", 9, 65, {1, 1, 1, 0}, 0, 8, 64, 64,
            "only the last column (64): N = 65 is not a multiple of 8, or an array or a loop ends "
            "at "
            "64"),
        ROW("far behind an array of 64", 9, 200, {1, 1, 1, 0}, 0, 8, 64, 199,
            "the whole block rows 0..8, columns 64..199 and nothing else: does an array or a loop "
            "end "
            "at 64?"),
        ROW("last row", 17, 8, {1, 1, 1, 0}, 16, 16, 0, 7,
            "only the last row (16): M = 17 is not a multiple of 8"),
        ROW("rest of ranks", 17, 8, {3, 1, 1, 0}, 15, 16, 0, 7,
            "only the last 2 rows (15..16): M = 17 is not a multiple of 3, the number of ranks"),
        ROW("rest of one row", 17, 8, {2, 1, 1, 0}, 16, 16, 0, 7,
            "only the last row (16): M = 17 is not a multiple of 2, the number of ranks"),
        ROW("one rank's rows", 16, 8, {4, 1, 1, 0}, 4, 7, 0, 7,
            "only rows that rank 1 of 4 has when rows are divided evenly (4..7)"),
        ROW("one thread's rows", 16, 8, {1, 2, 1, 0}, 1, 6, 0, 7,
            "only rows that thread 0 of 2 has when rows are divided evenly (0..7)"),
        ROW("three rows, by chance of one thread", 16, 8, {1, 2, 1, 0}, 1, 3, 0, 7,
            "the whole block rows 1..3, columns 0..7 and nothing else"),
        ROW("part of a row", 12, 12, {1, 1, 1, 0}, 5, 5, 2, 4, "only row 5, columns 2..4"),
        ROW("a column", 12, 12, {1, 1, 1, 0}, 2, 9, 3, 3, "only column 3, rows 2..9"),
        ROW("a tile", 24, 24, {1, 1, 1, 0}, 8, 15, 8, 15,
            "the whole block rows 8..15, columns 8..15 and nothing else"),
        ROW("one element", 64, 64, {1, 1, 1, 0}, 9, 9, 9, 9, "only row 9, column 9"),
    };
    for (size_t t = 0; t < sizeof table / sizeof table[0]; t++) {
        const struct damage *d = &table[t];
        int n = d->rows * d->cols;
        OWNED int32_t *want = calloc((size_t)n, sizeof *want),
                      *got = calloc((size_t)n, sizeof *got);
        fill(want, n);
        memcpy(got, want, (size_t)n * sizeof *got);
        for (int i = d->r0; i <= d->r1; i++)
            for (int j = d->c0; j <= d->c1; j++)
                got[i * d->cols + j] ^= 0x55;
        struct mismatch m = {0};
        describe(d->rows, d->cols, want, got, d->launch, &m);
        if (strcmp(m.pattern, d->says) != 0)
            fail_msg("%s: says '%s', not '%s'", d->name, m.pattern, d->says);
        assert_int_equal(m.row, d->r0);
        assert_int_equal(m.col, d->c0);
        assert_int_equal(m.wrong, (d->r1 - d->r0 + 1) * (d->c1 - d->c0 + 1));
        assert_int_equal(m.total, n);
    }
}

static bool odd_column(int i, int j)
{
    (void)i;
    return j % 2;
}

static bool fourth_row(int i, int j)
{
    (void)j;
    return i % 4 == 3;
}

static bool diagonals(int i, int j)
{
    return i == j || (i * 7 + j * 3) % 5 == 0;
}

static bool border(int i, int j)
{
    return i == 0 || i == 11 || j == 0 || j == 11;
}

static bool wide_border(int i, int j)
{
    return (i < 2 || i > 9 || j < 2 || j > 9) && i != 4;
}

static bool below(int i, int j)
{
    return i > j;
}

static bool above(int i, int j)
{
    return i < j;
}

static bool after_blocks(int i, int j)
{
    return i >= 8 || j >= 10;
}

static bool beside_one(int i, int j)
{
    return i > 0 || j > 0;
}

static int32_t poison_word(int i)
{
    return (int32_t)(uint32_t)(i % 2 ? poison >> 32 : poison);
}

TEST(never_written_and_added_to)
{
    enum { N = 6 };
    int32_t want[N * N], got[N * N];
    struct mismatch m = {0};
    fill(want, N * N);
    for (int i = 0; i < N * N; i++)
        got[i] = poison_word(i);
    describe(N, N, want, got, launch_here(1, 1), &m);
    assert_string_equal(m.pattern, "every element; never written");
    for (int i = 0; i < N * N; i++)
        got[i] = (int32_t)((uint32_t)want[i] + (uint32_t)poison_word(i));
    m = (struct mismatch){0};
    describe(N, N, want, got, launch_here(1, 1), &m);
    assert_string_equal(m.pattern, "every element; the result was added to what C held before: C "
                                   "must be assigned");
    for (int i = 0; i < N * N; i++)
        got[i] = i % 3 ? INT32_MIN : want[i] + 1;
    m = (struct mismatch){0};
    describe(N, N, want, got, launch_here(1, 1), &m);
    assert_string_equal(m.pattern, "every element; most of them are INT_MIN: this looks like a "
                                   "float or double that was converted to int");
    for (int i = 0; i < N * N; i++) {
        want[i] = (i % 2 ? -1 : 1) * (300000007 + 1000 * i);
        got[i] = i == 5 ? INT32_MIN : (int32_t)(float)want[i];
    }
    m = (struct mismatch){0};
    describe(N, N, want, got, launch_here(1, 1), &m);
    assert_string_equal(m.pattern, "large numbers are rounded as a float rounds them: this looks "
                                   "like a float in place of an int32_t");
    got[7] = want[7] + 1; /* no float holds this number */
    m = (struct mismatch){0};
    describe(N, N, want, got, launch_here(1, 1), &m);
    assert_string_equal(m.pattern, "every element");
}

/* Wrong elements that are no block: every second column, the border. */
TEST(scattered)
{
    static const struct {
        const char *says;
        bool (*wrong)(int i, int j);
    } table[] = {
        {"only every second column (1, 3, 5, ... 11)", odd_column},
        {"only every fourth row (3, 7, 11, ... 11)", fourth_row},
        {"only the border: the first and the last row, the first and the last column", border},
        {"only the border: the first and the last 2 rows, the first and the last 2 columns",
         wide_border},
        {"only below the diagonal: the row is larger than the column", below},
        {"only above the diagonal: the column is larger than the row", above},
        {"only the rows from 8 and the columns from 10 on: what is left after whole blocks",
         after_blocks},
        {"scattered", beside_one},
        {"scattered", diagonals},
    };
    enum { N = 12 };
    int32_t want[N * N], got[N * N];
    for (size_t t = 0; t < sizeof table / sizeof table[0]; t++) {
        struct mismatch m = {0};
        fill(want, N * N);
        for (int i = 0; i < N * N; i++)
            got[i] = want[i] ^ (table[t].wrong(i / N, i % N) ? 0x55 : 0);
        describe(N, N, want, got, launch_here(1, 1), &m);
        assert_string_equal(m.pattern, table[t].says);
    }
    struct mismatch m = {0};
    memset(got, 0, sizeof got);
    describe(N, N, want, got, launch_here(1, 1), &m);
    assert_string_equal(m.pattern, "every element is 0");
    for (int i = 0; i < N * N; i++)
        want[i] = i % 5 == 0 ? i + 1 : 0;
    describe(N, N, want, got, launch_here(1, 1), &m);
    assert_int_equal(m.wrong, 29); /* the others are 0, too: which are wrong says nothing */
    assert_string_equal(m.pattern, "every element is 0");
}

/* An array that is changed in place, and was not; some values are right by chance. */
TEST(unchanged)
{
    enum { N = 5 };
    int32_t want[N * N], got[N * N];
    struct kernel k = *kernel_find("gemm", TYPE_I32);
    struct mismatch m;
    struct accuracy accuracy;
    k.out.initial = 1;
    k.explain = NULL;
    fill(got, N * N);
    for (size_t i = 0; i < N; i++) /* each row is another one's, but the middle one */
        memcpy(want + i * N, got + (N - 1 - i) * N, N * sizeof *got);
    const struct comparison c = {.shape = {.dim = {N, N, N}},
                                 .expected = want,
                                 .got = got,
                                 .initial = got,
                                 .launch = {1, 1, 1, 0}};
    assert_int_not_equal(kernel_compare(&k, &c, &m, &accuracy), 0);
    assert_string_equal(m.pattern, "every element is as before the call");
}

/* Rows that ranks have computed in turns, put together as if they were blocks. */
TEST(order_of_rows)
{
    enum { M = 7, N = 3 };
    int32_t want[M * N], got[M * N];
    struct mismatch m;
    struct accuracy accuracy;
    const struct comparison c = {
        .shape = {.dim = {M, N, 2}}, .expected = want, .got = got, .launch = {2, 1, 1, 0}};
    fill(want, M * N);
    for (size_t i = 0; i < M; i++)
        memcpy(got + i * N, want + (i < 4 ? 2 * i : 2 * i - 7) * N, N * sizeof *got);
    kernel_compare(kernel_find("gemm", TYPE_I32), &c, &m, &accuracy);
    assert_non_null(strstr(m.pattern, "; all rows are right, but in another order: row 1 holds "
                                      "what belongs in row 2"));
    got[M * N - 1]++;
    kernel_compare(kernel_find("gemm", TYPE_I32), &c, &m, &accuracy);
    assert_null(strstr(m.pattern, "another order"));
}

/* A or B is read as it is not stored. */
TEST(operands)
{
    static const struct {
        int ai, ak, bk, bj, from, to;
        const char *says;
    } table[] = {
        {7, 1, 1, 7, 0, 7, "this is A times the transposed B"},
        {1, 5, 6, 1, 0, 7, "this is the transposed A times B"},
        {1, 5, 1, 7, 0, 7, "the product of both matrices transposed"},
        {6, 1, 6, 1, 0, 7, "A is read with rows of N elements"},
        {7, 1, 5, 1, 0, 7, "B is read with rows of M elements"},
        {7, 1, 6, 1, 1, 7, "the terms with k = 0 are missing"},
        {7, 1, 6, 1, 0, 6, "the terms with the last k are missing"},
        {7, 1, 6, 1, 4, 7, "only the terms of the last block of k are there"},
        {7, 1, 6, 1, 0, 4, "the rest after the last whole block of k are missing"},
    };
    enum { M = 5, N = 6, K = 7 };
    int32_t a[M * K], b[K * N], want[M * N] = {0}, got[M * N];
    const void *const in[] = {a, b};
    struct mismatch m;
    struct accuracy accuracy;
    fill(a, M * K);
    fill(b, K * N);
    for (int i = 0; i < M * N * K; i++)
        want[i / N / K * N + i / K % N] += a[i / N / K * K + i % K] * b[i % K * N + i / K % N];
    for (size_t t = 0; t < sizeof table / sizeof table[0]; t++) {
        memset(got, 0, sizeof got);
        for (int i = 0; i < M; i++)
            for (int j = 0; j < N; j++)
                for (int k = table[t].from; k < table[t].to; k++)
                    got[i * N + j] +=
                        a[i * table[t].ai + k * table[t].ak] * b[k * table[t].bk + j * table[t].bj];
        const struct comparison c = {.shape = {M, N, K},
                                     .in = in,
                                     .expected = want,
                                     .got = got,
                                     .poison = poison,
                                     .launch = {1, 1, 1, 0}};
        kernel_compare(kernel_find("gemm", TYPE_I32), &c, &m, &accuracy);
        if (!strstr(m.pattern, table[t].says))
            fail_msg("'%s', not '%s'", m.pattern, table[t].says);
        assert_null(strstr(m.pattern, "scattered"));
    }
}

/* Also of bytes. */
TEST(transposed_bytes)
{
    enum { ROWS = 3, COLS = 5 };
    struct kernel k = *kernel_find("gemm", TYPE_I32);
    unsigned char want[ROWS * COLS], got[ROWS * COLS];
    struct mismatch m;
    struct accuracy accuracy;
    k.out.type = TYPE_U8;
    k.explain = NULL;
    for (int i = 0; i < ROWS * COLS; i++)
        want[i] = (unsigned char)(i * 17 + 3);
    for (int i = 0; i < ROWS * COLS; i++)
        got[i % COLS * ROWS + i / COLS] = want[i];
    const struct comparison c = {
        .shape = {.dim = {ROWS, COLS, 1}}, .expected = want, .got = got, .launch = {1, 1, 1, 0}};
    kernel_compare(&k, &c, &m, &accuracy);
    assert_string_equal(m.pattern, "the result is transposed");
}

TEST(transposed)
{
    static const int sizes[][2] = {{5, 5}, {3, 7}, {7, 3}};
    enum { MOST = 25 };
    int32_t want[MOST], got[MOST];
    struct mismatch m = {0};
    fill(want, MOST);
    for (size_t t = 0; t < sizeof sizes / sizeof sizes[0]; t++) {
        const int rows = sizes[t][0], cols = sizes[t][1];
        for (int i = 0; i < rows; i++)
            for (int j = 0; j < cols; j++)
                got[j * rows + i] = want[i * cols + j];
        describe(rows, cols, want, got, launch_here(1, 1), &m);
        assert_string_equal(m.pattern, "the result is transposed");
    }
}

/* Row i of C is written where a row of another matrix would begin; the next row overwrites it. */
TEST(rows_of_output)
{
    enum { M = 4, N = 9, K = 6 };
    int32_t a[M * K] = {0}, b[K * N] = {0}, want[M * N], got[M * N];
    const void *const in[] = {a, b};
    struct mismatch m;
    struct accuracy accuracy;
    const struct comparison c = {.shape = {M, N, K},
                                 .in = in,
                                 .expected = want,
                                 .got = got,
                                 .poison = poison,
                                 .launch = {1, 1, 1, 0}};
    fill(want, M * N);
    memset(got, 0x77, sizeof got);
    for (size_t i = 0; i < M; i++)
        memcpy(got + i * K, want + i * N, N * sizeof *got);
    kernel_compare(kernel_find("gemm", TYPE_I32), &c, &m, &accuracy);
    assert_non_null(strstr(m.pattern, "C is written with rows of K elements"));
    got[1]++; /* in no row where it belongs */
    kernel_compare(kernel_find("gemm", TYPE_I32), &c, &m, &accuracy);
    assert_null(strstr(m.pattern, "C is written"));
    /* Each rank has one row, which may be in a wrong place because of a displacement. */
    struct comparison ranks = c;
    ranks.launch.ranks = M;
    got[1]--;
    kernel_compare(kernel_find("gemm", TYPE_I32), &ranks, &m, &accuracy);
    assert_null(strstr(m.pattern, "C is written"));
    ranks.launch.ranks = M - 1;
    kernel_compare(kernel_find("gemm", TYPE_I32), &ranks, &m, &accuracy);
    assert_non_null(strstr(m.pattern, "C is written"));
}

/* Of a table of 256 numbers, the last one is left over by three ranks, whatever is wrong. */
TEST(always_as_many)
{
    struct extents x = {.count = 1, .text = {"n"}};
    struct kernel k = *kernel_find("gemm", TYPE_I32);
    int32_t want[256] = {0}, got[256] = {0};
    struct mismatch m;
    struct accuracy accuracy;
    struct err e = ERR_INIT;
    const struct comparison c = {.shape = {.dim = {256, 1, 1}},
                                 .expected = want,
                                 .got = got,
                                 .poison = poison,
                                 .launch = {3, 1, 1, 0}};
    want[0] = got[0] = 1;
    want[255] = 3;
    k.explain = NULL;
    k.out.size = &x;
    assert_int_equal(expression_read("256", NULL, 0, true, &x.of[0], &e), 0);
    kernel_compare(&k, &c, &m, &accuracy);
    assert_non_null(strstr(m.pattern, "n = 256 is not a multiple of 3"));
    x.text[0] = "256";
    kernel_compare(&k, &c, &m, &accuracy);
    assert_string_equal(m.pattern, "only element 255");
}

/* What wrong values have in common. Of 4 x 3 elements, or of a column of 12. */
TEST(values)
{
    enum { N = 12, NONE = 99 };
    static const struct {
        const char *says;
        int rows, cols;
        int32_t want[N], got[N]; /* NONE: the same */
    } table[] = {
        ROW("only row 1, columns 0..2; all of them are -1", 4, 3, {1, 2, 3, 4, 5, 6},
            {NONE, NONE, NONE, -1, -1, -1, NONE, NONE, NONE, NONE, NONE, NONE}),
        ROW("only row 1, columns 0..2; all of them are 2 times what they should be", 4, 3,
            {1, 2, 3, 4, 5, 6}, {NONE, NONE, NONE, 8, 10, 12, NONE, NONE, NONE, NONE, NONE, NONE}),
        ROW("only row 1, columns 0..5; all of them are 3 times what they should be", 2, 6,
            {1, 2, 3, 4, 5, 6, 1500000000, 2, 3, 4, 1400000000, 6},
            {NONE, NONE, NONE, NONE, NONE, NONE, 205032704, 6, 9, 12, -94967296, 18}),
        ROW("only column 0, rows 6..11; all of them are 0", 12, 1,
            {1, 2, 3, 4, 5, 6, 7, 7, 7, 7, 7, 7},
            {NONE, NONE, NONE, NONE, NONE, NONE, 0, 0, 0, 0, 0, 0}),
        ROW("only row 1, columns 0..2; all of them have the wrong sign", 4, 3, {1, 2, 3, 4, 5, 6},
            {NONE, NONE, NONE, -4, -5, -6, NONE, NONE, NONE, NONE, NONE, NONE}),
        ROW("only row 1, columns 0..1", 4, 3, {1, 2, 3, 4, 5, 6},
            {NONE, NONE, NONE, 8, 10, NONE, NONE, NONE, NONE, NONE, NONE, NONE}),
        ROW("only row 1, columns 0..2", 4, 3, {1, 2, 3, 4, 5, 6},
            {NONE, NONE, NONE, 8, 10, 13, NONE, NONE, NONE, NONE, NONE, NONE}),
        ROW("every element; each row holds what belongs in the row before it", 12, 1,
            {5, 3, 8, 1, 9, 2, 7, 4, 6, 11, 13, 12}, {-1, 5, 3, 8, 1, 9, 2, 7, 4, 6, 11, 13}),
        ROW("scattered; each column holds what belongs in the column after it", 4, 3,
            {5, 3, 8, 1, 9, 2, 7, 4, 6, 11, 13, 12}, {3, 8, 8, 9, 2, 17, 4, 6, 6, 13, 12, 12}),
        ROW("every element", 12, 1, {5, 3, 8, 1, 9, 2, 7, 4, 6, 11, 13, 12},
            {-1, 5, 3, 8, 1, 9, 2, 7, 4, 6, 11, 14}),
        ROW("only row 1, columns 0..5; all of them are off by -3", 2, 6,
            {1, 2, 3, 4, 5, 6, 7, 8, 9, 5, 2, 1},
            {NONE, NONE, NONE, NONE, NONE, NONE, 4, 5, 6, 2, -1, -2}),
        ROW("only row 1, columns 0..5; all of them are off by -512; the lowest 8 bits are right: "
            "is a number inside too narrow, or a sum too large for it?",
            2, 6, {1, 2, 3, 4, 5, 6, 707, 808, 909, 505, 602, 701},
            {NONE, NONE, NONE, NONE, NONE, NONE, 195, 296, 397, -7, 90, 189}),
        ROW("every element; 0..5 are all off by -3, those after them by another", 12, 1,
            {1, 2, 3, 4, 5, 6, 7, 8, 9, 5, 2, 1}, {-2, -1, 0, 1, 2, 3, 9, 10, 11, 7, 4, 3}),
        ROW("every element", 12, 1, {1, 2, 3, 4, 5, 6, 7, 8, 9, 5, 2, 1},
            {-2, -1, 0, 3, 4, 5, 8, 9, 10, 1, -2, -3}),
        ROW("the whole block rows 0..1, columns 1..5 and nothing else; each element is the sum of "
            "what "
            "belongs in it and in all before it in its row: is the sum set to 0 for each element?",
            2, 6, {1, 2, 3, 4, 5, 6, 7, 8, 9, 5, 2, 1},
            {1, 3, 6, 10, 15, 21, 7, 15, 24, 29, 31, 32}),
        ROW("scattered; each element is the sum of what belongs in it and in all before it: is the "
            "sum "
            "set to 0 for each element?",
            2, 6, {1, 2, 3, 4, 5, 6, 7, 8, 9, 5, 2, 1},
            {1, 3, 6, 10, 15, 21, 28, 36, 45, 50, 52, 53}),
        ROW("only in the first and the last row", 6, 2, {5, 3, 8, 1, 9, 2, 7, 4, 6, 11, 13, 12},
            {6, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, 12, 17}),
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct mismatch m;
        int32_t got[N];
        for (int e = 0; e < N; e++)
            got[e] = table[i].got[e] == NONE ? table[i].want[e] : table[i].got[e];
        describe(table[i].rows, table[i].cols, table[i].want, got, (struct launch){1, 1, 1, 0}, &m);
        assert_string_equal(m.pattern, table[i].says);
    }
}

/* Beside 1, what should be 0 is left by rounding: a factor of it says nothing. */
TEST(factor_of_rounding)
{
    enum { N = 6 };
    const unsigned char facts[N] = {0, ELEMENT_WRONG, 0, ELEMENT_WRONG, 0, ELEMENT_WRONG};
    double want[N] = {1, 6e-17, -1, 12e-17, 1, 18e-17}, got[N];
    for (int large = 0; large < 2; large++) {
        struct mismatch m = {0};
        for (int i = 0; i < N; i++) {
            want[i] *= large && i % 2 ? 1e15 : 1;
            got[i] = i % 2 ? -3 * want[i] : want[i];
        }
        value_pattern_describe(
            &(struct wrong_values){TYPE_F64, want, got, facts, N, 1, "element", false}, &m);
        assert_string_equal(m.pattern,
                            large ? "; all of them are -3 times what they should be" : "");
    }
}

/* Doubles that went through a float, as the result or on the way to it. */
TEST(digits)
{
    enum { N = 6 };
    static const unsigned char facts[N] = {ELEMENT_WRONG, ELEMENT_WRONG, ELEMENT_WRONG,
                                           ELEMENT_WRONG, ELEMENT_WRONG, ELEMENT_WRONG};
    static const double want[N] = {1.1, -2.7, 1e9 + 1, 0.3, 1.9, 7.7};
    static const struct {
        double more;
        bool as_float;
        const char *says;
    } table[] = {
        {0, true, "; all of them are numbers that a float holds: is there a float inside?"},
        {1e6, true, ""},
        {30, false,
         "; all of them are right to about 7 digits: is there a float inside, or a difference of "
         "large numbers?"},
        {1e6, false, ""},
        {1e-6, false, ""}, /* doubles have no more digits either */
    };
    for (size_t t = 0; t < sizeof table / sizeof table[0]; t++) {
        struct mismatch m = {0};
        double got[N];
        for (int i = 0; i < N; i++) {
            got[i] = want[i] + (i + 2) * (i % 2 ? -1 : 1) * table[t].more;
            got[i] = table[t].as_float ? (double)(float)got[i] : got[i];
        }
        struct wrong_values v = {TYPE_F64, want, got, facts, N, 1, "element", false};
        value_pattern_describe(&v, &m);
        assert_string_equal(m.pattern, table[t].says);
        m.pattern[0] = '\0';
        v.rounded = true; /* their errors are told in bits */
        value_pattern_describe(&v, &m);
        assert_string_equal(m.pattern, "");
    }
}

/* As many bytes are written as there would be of floats. */
TEST(second_half)
{
    enum { MOST = 9 };
    static const struct {
        int n, workers;
        size_t bytes; /* written */
        bool half;
    } table[] = {{8, 1, 32, true},  {9, 1, 36, true}, {9, 1, 40, false}, {8, 1, 40, false},
                 {8, 2, 32, false}, {8, 4, 32, true}, {2, 1, 8, false}};
    const uint64_t poison_of_doubles = UINT64_C(0x4242424242424242);
    struct kernel k = *kernel_find("gemm", TYPE_F64);
    k.explain = NULL;
    for (size_t t = 0; t < sizeof table / sizeof table[0]; t++) {
        double want[MOST], got[MOST];
        struct mismatch m;
        struct accuracy accuracy;
        for (int i = 0; i < MOST; i++)
            want[i] = i + 1.1;
        memset(got, 0x42, sizeof got);
        memcpy(got, want, table[t].bytes);
        const struct comparison c = {.shape = {.dim = {table[t].n, 1, 1}},
                                     .values = VALUES_BALANCED,
                                     .expected = want,
                                     .got = got,
                                     .poison = poison_of_doubles,
                                     .launch = {1, table[t].workers, 1, 0}};
        kernel_compare(&k, &c, &m, &accuracy);
        assert_int_equal(strstr(m.pattern,
                                "; the second half is never written: is a size or a "
                                "type half of that of the elements, as of float") != NULL,
                         table[t].half);
    }
}

/* Where the right results are numbers that a float holds, so are wrong ones. */
TEST(whole_numbers)
{
    enum { N = 4 };
    static const unsigned char facts[N] = {ELEMENT_WRONG, ELEMENT_WRONG, ELEMENT_WRONG,
                                           ELEMENT_WRONG};
    static const double want[N] = {1000001, 2000003, 3000005, 4000007},
                        got[N] = {1000002, 2000001, 3000008, 4000003};
    struct mismatch m = {0};
    value_pattern_describe(
        &(struct wrong_values){TYPE_F64, want, got, facts, N, 1, "element", false}, &m);
    assert_null(strstr(m.pattern, "that a float holds"));
}

/* By a little each, and by chance on one side. */
TEST(one_side)
{
    enum { N = 20 };
    int32_t want[N], got[N];
    struct mismatch m;
    fill(want, N);
    for (int i = 0; i < N; i++)
        got[i] = want[i] + i % 3 + 1;
    describe(N, 1, want, got, (struct launch){1, 1, 1, 0}, &m);
    assert_string_equal(m.pattern, "every element; all of them are too large");
    got[7] = want[7] - 1;
    describe(N, 1, want, got, (struct launch){1, 1, 1, 0}, &m);
    assert_string_equal(m.pattern, "every element");
}

TEST(nothing_wrong)
{
    int32_t a[4] = {1, 2, 3, 4};
    struct mismatch m = {0};
    describe(2, 2, a, a, launch_here(1, 1), &m);
    assert_false(m.present);
    assert_int_equal(m.wrong, 0);
}

TESTS(NULL, NULL)
