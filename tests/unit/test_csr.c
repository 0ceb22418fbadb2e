#include "unit.h"

#include <float.h>
#include <string.h>

#include "base/rng.h"
#include "base/strbuf.h"
#include "kernel/csr.h"

enum { ENTRIES_MOST = 8 };

TEST(not_finite)
{
    static const struct csr_entry entry[] = {{0, 0, 1}, {1, 2, DBL_MAX}, {1, 2, DBL_MAX}};
    FREED_BY(csr_free) struct csr a = {0};
    struct err e = ERR_INIT;
    assert_int_equal(csr_from_entries(&a, 3, 3, entry, 3, &e), -1);
    assert_string_equal(e.text, "the sum of the entries in row 2, column 3 is too large");
    assert_int_equal(e.kind, ERR_INPUT);
    assert_null(a.row_start);
    assert_int_equal(a.nnz, 0);
}

TEST(from_entries)
{
    static const struct {
        int32_t rows, cols;
        size_t count;
        struct csr_entry entry[ENTRIES_MOST];
        int32_t row_start[ENTRIES_MOST];
        int32_t col[ENTRIES_MOST];
        double val[ENTRIES_MOST];
    } table[] = {
        /* No entries; one. */
        {1, 1, 0, {{0}}, {0, 0}, {0}, {0}},
        {3, 2, 0, {{0}}, {0, 0, 0, 0}, {0}, {0}},
        {1, 1, 1, {{0, 0, 5}}, {0, 1}, {0}, {5}},
        /* Empty rows first, in the middle and last. */
        {5, 5, 2, {{1, 4, 1}, {3, 0, 2}}, {0, 0, 1, 1, 2, 2}, {4, 0}, {1, 2}},
        /* Columns in any order. */
        {2,
         3,
         4,
         {{1, 2, 1}, {0, 1, 2}, {1, 0, 3}, {0, 0, 4}},
         {0, 2, 4},
         {0, 1, 0, 2},
         {4, 2, 3, 1}},
        /* Zeros stay; sums of zero, too. */
        {1, 3, 4, {{0, 2, 0}, {0, 0, 7}, {0, 1, 0}, {0, 0, -7}}, {0, 3}, {0, 1, 2}, {0, 0, 0}},
        /* Duplicates are added, also in rows that ascend otherwise, and at the end of a row. */
        {2, 2, 4, {{0, 1, 1}, {0, 1, 2}, {1, 0, 3}, {1, 0, 4}}, {0, 1, 2}, {1, 0}, {3, 7}},
        {1, 1, 3, {{0, 0, 1}, {0, 0, 1}, {0, 0, 1}}, {0, 1}, {0}, {3}},
        /* ... in their order: from the left, this is 1; from the right, it is 0. */
        {1, 2, 4, {{0, 0, 1e30}, {0, 1, 5}, {0, 0, -1e30}, {0, 0, 1}}, {0, 2}, {0, 1}, {1, 5}},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct csr a;
        const int32_t rows = table[i].rows, nnz = table[i].row_start[rows];
        assert_int_equal(
            csr_from_entries(&a, rows, table[i].cols, table[i].entry, table[i].count, NULL), 0);
        assert_int_equal(a.rows, rows);
        assert_int_equal(a.cols, table[i].cols);
        assert_int_equal(a.nnz, nnz);
        if (memcmp(a.row_start, table[i].row_start, ((size_t)rows + 1) * sizeof(int32_t)) != 0 ||
            memcmp(a.col, table[i].col, (size_t)nnz * sizeof(int32_t)) != 0)
            fail_msg("row %zu: other places", i);
        for (int32_t k = 0; k < nnz; k++)
            if (!(a.val[k] == table[i].val[k]))
                fail_msg("row %zu: value %d is %g", i, k, a.val[k]);
        csr_free(&a);
        assert_null(a.val);
    }
}

/* Random entries beside a dense matrix. */
TEST(beside_dense)
{
    enum { ROWS = 37, COLS = 53, COUNT = 900 };
    static struct csr_entry entry[COUNT];
    static double dense[ROWS][COLS];
    static unsigned char there[ROWS][COLS];
    for (int k = 0; k < COUNT; k++) {
        const uint64_t x = rng_child(7, (uint64_t)k);
        entry[k] =
            (struct csr_entry){(int32_t)(x % ROWS), (int32_t)((x >> 20) % COLS), (double)(x >> 50)};
        dense[entry[k].row][entry[k].col] += entry[k].val;
        there[entry[k].row][entry[k].col] = 1;
    }
    FREED_BY(csr_free) struct csr a = {0};
    assert_int_equal(csr_from_entries(&a, ROWS, COLS, entry, COUNT, NULL), 0);
    int32_t nnz = 0;
    for (int i = 0; i < ROWS; i++) {
        assert_int_equal(a.row_start[i], nnz);
        for (int j = 0; j < COLS; j++) {
            if (!there[i][j])
                continue;
            assert_int_equal(a.col[nnz], j);
            assert_true(a.val[nnz] == dense[i][j]);
            nnz++;
        }
    }
    assert_int_equal(a.nnz, nnz);
    assert_true(nnz < COUNT); /* there were duplicates */
}

TESTS(NULL, NULL)
