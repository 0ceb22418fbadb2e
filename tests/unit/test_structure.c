/* Structures of sparse matrices: their names, and what holds for the rows of every family. */
#include "unit.h"

#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "kernel/sparse.h"
#include "kernel/structure.h"

TEST(refused)
{
    static const char *const table[] = {"",           "Poisson",     "poisson-3",
                                        "uniform",    "uniform-",    "uniform-0",
                                        "uniform--1", "uniform-1.5", "uniform-2147483648",
                                        "uniform-1 ", "uniformly-3", "dense_row",
                                        "gaps ",      "rmat16",      "banded-x"};
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct structure s;
        struct err e = ERR_INIT;
        if (structure_parse(table[i], strlen(table[i]), &s, &e) == 0)
            fail_msg("'%s' was accepted", table[i]);
        assert_non_null(
            strstr(e.text, "is not a structure; there are: poisson, uniform-P, rmat-P"));
    }
}

static const struct {
    const char *text;
    struct structure s;
} names[] = {
    {"poisson", {.family = STRUCTURE_POISSON}},
    {"uniform-20", {.family = STRUCTURE_UNIFORM, .parameter = 20}},
    {"uniform-1", {.family = STRUCTURE_UNIFORM, .parameter = 1}},
    {"rmat-16", {.family = STRUCTURE_RMAT, .parameter = 16}},
    {"banded-5", {.family = STRUCTURE_BANDED, .parameter = 5}},
    {"gaps", {.family = STRUCTURE_GAPS}},
    {"dense-row", {.family = STRUCTURE_DENSE_ROW}},
    {"one-column", {.family = STRUCTURE_ONE_COLUMN}},
    {"empty", {.family = STRUCTURE_EMPTY}},
};
enum { NAMES = sizeof names / sizeof names[0] };

TEST(taken)
{
    for (size_t i = 0; i < NAMES; i++) {
        struct structure s;
        char back[STRUCTURE_TEXT], *longer = xasprintf("%s:7x8", names[i].text);
        assert_int_equal(structure_parse(longer, strlen(names[i].text), &s, NULL), 0);
        assert_true(structure_equal(s, names[i].s));
        structure_format(s, back);
        assert_string_equal(back, names[i].text);
        free(longer);
    }
    assert_false(structure_equal(names[1].s, names[2].s));
    assert_false(structure_equal(names[0].s, names[5].s));
}

/* Rows are ascending, in range, and as long as was said. */
static void check_rows(struct structure s, int rows, int cols)
{
    struct structure_matrix m;
    structure_open(&m, s, rows, cols);
    const struct structure_counts c = structure_count(&m);
    int64_t entries = 0;
    int *col = xcalloc((size_t)cols + 1, sizeof *col), widest = 0;
    for (int i = 0; i < rows; i++) {
        const int n = structure_row_entries(&m, i);
        assert_in_range(n, 0, cols);
        col[n] = -7;
        structure_row(&m, i, n, col);
        assert_int_equal(col[n], -7);
        for (int e = 0; e < n; e++)
            if (col[e] < 0 || col[e] >= cols || (e && col[e] <= col[e - 1]))
                fail_msg("family %d, %d x %d: row %d, entry %d is %d", (int)s.family, rows, cols, i,
                         e, col[e]);
        entries += n;
        widest = n > widest ? n : widest;
    }
    assert_int_equal(c.entries, entries);
    assert_int_equal(c.widest, widest);
    free(col);
}

TEST(rows)
{
    static const int sizes[][2] = {{1, 1},     {1, 2},      {2, 1},     {2, 2},     {3, 3},
                                   {7, 7},     {1, 300},    {300, 1},   {17, 90},   {90, 17},
                                   {64, 64},   {65, 65},    {100, 100}, {333, 333}, {1000, 20},
                                   {20, 1000}, {1024, 1024}};
    for (size_t f = 0; f < NAMES; f++)
        for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
            if (sizes[i][0] == sizes[i][1] || !structure_is_square(names[f].s))
                check_rows(names[f].s, sizes[i][0], sizes[i][1]);
    check_rows((struct structure){.family = STRUCTURE_RMAT, .parameter = 1000}, 33,
               33); /* it wants more than there is */
    check_rows((struct structure){.family = STRUCTURE_UNIFORM, .parameter = 1000}, 33, 40);
    check_rows((struct structure){.family = STRUCTURE_BANDED, .parameter = 1000}, 33, 40);
}

static struct structure_counts counts(enum structure_family f, int parameter, int rows, int cols)
{
    struct structure_matrix m;
    structure_open(&m, (struct structure){.family = f, .parameter = parameter}, rows, cols);
    return structure_count(&m);
}

/* What a family is about. */
TEST(families)
{
    struct structure_counts c = counts(STRUCTURE_POISSON, 0, 10000, 10000);
    assert_int_equal(c.entries, 5 * 10000 - 4 * 100);
    assert_int_equal(c.widest, 5);
    c = counts(STRUCTURE_UNIFORM, 20, 3000, 100);
    assert_int_equal(c.entries, 20 * 3000);
    assert_true(c.variance == 0);
    c = counts(STRUCTURE_RMAT, 16, 1 << 14, 1 << 14); /* some rows are much longer than others */
    assert_in_range(c.entries, 15 << 14, 17 << 14);
    assert_in_range(c.widest, 1000, 1 << 14);
    assert_true(c.variance > 16 * 16);
    c = counts(STRUCTURE_BANDED, 2, 100, 100);
    assert_int_equal(c.entries, 5 * 100 - 6);
    c = counts(STRUCTURE_DENSE_ROW, 0, 5, 40);
    assert_int_equal(c.entries, 44);
    assert_int_equal(c.widest, 40);
    c = counts(STRUCTURE_EMPTY, 0, 5, 40);
    assert_int_equal(c.entries, 0);
    struct structure_matrix m;
    structure_open(&m, (struct structure){.family = STRUCTURE_GAPS}, 100, 100);
    assert_int_equal(structure_row_entries(&m, 0), 0);
    assert_int_equal(structure_row_entries(&m, 99), 0);
    assert_in_range(structure_count(&m).entries, 50, 300);
}

/* A rotated matrix has the rows of the other one, at other places and with other columns. */
TEST(rotated)
{
    enum { ROWS = 90, COLS = 70 };
    for (size_t f = 0; f < NAMES; f++) {
        const int cols = structure_is_square(names[f].s) ? ROWS : COLS;
        int other[ROWS + COLS];
        const struct sparse *a = sparse_get(names[f].s, ROWS, cols);
        const struct rotation r = {37, 23};
        for (int i = 0; i < ROWS; i++) {
            const int from = (i + r.rows) % ROWS, n = sparse_row(a, r, i, other);
            assert_int_equal(n, sparse_row_entries(a, r, i));
            assert_int_equal(n, a->row_start[from + 1] - a->row_start[from]);
            for (int e = 0; e < n; e++) {
                bool found = false;
                assert_true(!e || other[e] > other[e - 1]);
                for (int k = a->row_start[from]; k < a->row_start[from + 1]; k++)
                    found = found || (a->col[k] + r.cols) % cols == other[e];
                assert_true(found);
            }
        }
    }
}

/* Each run has its own rotation; but the empty rows at the ends stay there. */
TEST(rotations)
{
    const struct structure uniform = {.family = STRUCTURE_UNIFORM, .parameter = 3},
                           gaps = {.family = STRUCTURE_GAPS};
    const struct rotation a = sparse_rotation(uniform, 1000, 1000, 1),
                          b = sparse_rotation(uniform, 1000, 1000, 1),
                          c = sparse_rotation(uniform, 1000, 1000, 2);
    assert_memory_equal(&a, &b, sizeof a);
    assert_true(a.rows != c.rows && a.cols != c.cols);
    assert_in_range(a.rows, 0, 999);
    assert_in_range(a.cols, 0, 999);
    assert_int_equal(sparse_rotation(gaps, 1000, 1000, 1).rows, 0);
}

TESTS(NULL, NULL)
