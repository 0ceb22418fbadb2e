#include "unit.h"

#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/rng.h"
#include "kernel/matrix_market.h"
#include "test_dir.h"

#define COORDINATE "%%MatrixMarket matrix coordinate real general\n"
#define INTEGER "%%MatrixMarket matrix coordinate integer general\n"
#define PATTERN "%%MatrixMarket matrix coordinate pattern general\n"
#define SYMMETRIC "%%MatrixMarket matrix coordinate real symmetric\n"
#define SKEW "%%MatrixMarket matrix coordinate real skew-symmetric\n"
#define ARRAY "%%MatrixMarket matrix array real general\n"

static void refuses(const char *text, const char *says)
{
    struct csr a = {.nnz = 7};
    struct matrix_market about = {.entries = 7};
    struct err e = ERR_INIT;
    put_at("a.mtx", text);
    OWNED char *path = at("a.mtx"), *wanted = xasprintf("%s:%s", path, says);
    if (matrix_market_read(path, &a, &about, &e) != -1)
        fail_msg("'%s' was taken", text);
    if (strcmp(e.text, wanted) != 0)
        fail_msg("'%s' says '%s', not '%s'", text, e.text, wanted);
    assert_int_equal(e.kind, ERR_INPUT);
    assert_int_equal(a.nnz, 0);
    assert_null(a.row_start);
    assert_int_equal(about.entries, 7);
}

struct refusal {
    const char *text, *says;
};

TEST(bad_first_lines)
{
    static const struct refusal table[] = {
        {"", "1: the file is empty"},
        {"\n" COORDINATE, "1: the first line must begin with %%MatrixMarket"},
        {"% comment\n" COORDINATE, "1: the first line must begin with %%MatrixMarket"},
        {"1 1 1\n1 1 1\n", "1: the first line must begin with %%MatrixMarket"},
        {"%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 1\n",
         "1: the first line begins with one %; write %%MatrixMarket, with two"},
        {"%%MatrixMarketmatrix coordinate real general\n",
         "1: the first line must begin with %%MatrixMarket"},
        {"\x1f\x8b\x08", "1: the file is compressed (gzip); unpack it first"},
        {"%%MatrixMarket\n", "1: wanted: %%MatrixMarket matrix FORMAT VALUES SYMMETRY"},
        {"%%MatrixMarket matrix coordinate real\n",
         "1: wanted: %%MatrixMarket matrix FORMAT VALUES SYMMETRY"},
        {"%%MatrixMarket matrix coordinate real general x\n",
         "1: wanted: %%MatrixMarket matrix FORMAT VALUES SYMMETRY"},
        {"%%MatrixMarket vector coordinate real general\n",
         "1: object 'vector' is not supported; supported: matrix"},
        {"%%MatrixMarket matrix csr real general\n",
         "1: format 'csr' is not supported; supported: coordinate, array"},
        {"%%MatrixMarket matrix coordinate complex general\n",
         "1: type of values 'complex' is not supported; supported: real, integer, pattern"},
        {"%%MatrixMarket matrix coordinate real Hermitian\n",
         "1: symmetry 'Hermitian' is not supported; supported: general, symmetric, "
         "skew-symmetric"},
        {"%%MatrixMarket matrix coordinate real gene\x1bral\n",
         "1: symmetry 'gene ral' is not supported; supported: general, symmetric, "
         "skew-symmetric"},
        {"%%MatrixMarket matrix array pattern general\n1 1\n", "1: an array cannot be a pattern"},
        {"%%MatrixMarket matrix coordinate pattern skew-symmetric\n1 1 0\n",
         "1: a pattern cannot be skew-symmetric: it has no signs"},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        refuses(table[i].text, table[i].says);
}

TEST(bad_sizes)
{
    static const struct refusal table[] = {
        {COORDINATE, "1: the file ends before the line with the size"},
        {COORDINATE "% 1 1 1\n\n", "3: the file ends before the line with the size"},
        {COORDINATE "1 1\n", "2: wanted the size: ROWS COLUMNS ENTRIES"},
        {COORDINATE "1 1 1 1\n", "2: wanted the size: ROWS COLUMNS ENTRIES"},
        {COORDINATE "1 1 1 % one\n", "2: wanted the size: ROWS COLUMNS ENTRIES"},
        {ARRAY "1 1 1\n1\n", "2: wanted the size: ROWS COLUMNS"},
        {COORDINATE "0 1 0\n", "2: rows: 0 is not between 1 and 2147483646"},
        {COORDINATE "1 0 0\n", "2: columns: 0 is not between 1 and 2147483646"},
        {COORDINATE "-1 1 0\n", "2: rows: -1 is not between 1 and 2147483646"},
        {COORDINATE "1 2147483647 0\n", "2: columns: 2147483647 is not between 1 and 2147483646"},
        {COORDINATE "99999999999999999999 1 0\n",
         "2: rows: 99999999999999999999 is not between 1 and 2147483646"},
        {COORDINATE "1.0 1 0\n", "2: rows: '1.0' is not a whole number"},
        {COORDINATE "1 1 -1\n", "2: entries: -1 is not between 0 and 9223372036854775807"},
        {COORDINATE "1 1 1e3\n", "2: entries: '1e3' is not a whole number"},
        {COORDINATE "3 3 9223372036854775807\n1 1 1\n",
         "2: 9223372036854775807 entries are announced, but the rest of the file has room for 1"},
        {COORDINATE "3 3 2\n1 1 1\n",
         "2: 2 entries are announced, but the rest of the file has room for 1"},
        {COORDINATE "3 3 1", "2: 1 entries are announced, but the rest of the file has room for 0"},
        {COORDINATE "3 3 2\n1 1 1234\n",
         "2: 2 entries are announced, but the rest of the file has room for 1"},
        {PATTERN "3 3 2\n1 1\n",
         "2: 2 entries are announced, but the rest of the file has room for 1"},
        {ARRAY "2147483646 2147483646\n1\n",
         "2: 4611686009837453316 entries are announced, but the rest of the file has room for 1"},
        {ARRAY "2 2\n1\n2\n3\n",
         "2: 4 entries are announced, but the rest of the file has room for 3"},
        {COORDINATE "2147483646 2147483646 1\n1 1 1\n",
         "2: 2147483646 rows, but only 1 entries; more than 4194304 rows would be empty"},
        {SYMMETRIC "4194307 4194307 1\n4194307 1 1\n",
         "2: 4194307 rows, but only 1 entries; more than 4194304 rows would be empty"},
        {SYMMETRIC "3 4 0\n", "2: a symmetric matrix is square, not 3 x 4"},
        {SKEW "4 3 0\n", "2: a skew-symmetric matrix is square, not 4 x 3"},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        refuses(table[i].text, table[i].says);
}

TEST(bad_entries)
{
    static const struct refusal table[] = {
        {COORDINATE "2 2 2\n1 1 1.00000\n", "3: the file ends after 1 of 2 entries"},
        {COORDINATE "2 2 1\n% 1 1 1\n\n", "4: the file ends after 0 of 1 entries"},
        {COORDINATE "2 2 1\n1 1 1\n2 2 1\n",
         "4: the file goes on after the 1 entries that line 2 announces"},
        {COORDINATE "2 2 1\n1 1 1\n\n % c\nx",
         "6: the file goes on after the 1 entries that line 2 announces"},
        {COORDINATE "2 2 1\n1 1       \n", "3: wanted an entry: ROW COLUMN VALUE"},
        {COORDINATE "2 2 1\n1 1 1 1\n", "3: wanted an entry: ROW COLUMN VALUE"},
        {COORDINATE "2 2 1\n1 1 1 % c\n", "3: wanted an entry: ROW COLUMN VALUE"},
        {COORDINATE "2 2 1\n1,1,1   \n", "3: wanted an entry: ROW COLUMN VALUE"},
        {COORDINATE "2 2 1\n1\r1\r1\r\n", "3: wanted an entry: ROW COLUMN VALUE"},
        {PATTERN "2 2 1\n1 1 1\n", "3: wanted an entry: ROW COLUMN"},
        {ARRAY "1 1\n1 1\n", "3: wanted an entry: VALUE"},
        {COORDINATE "2 2 1\n0 1 1\n", "3: row: 0 is not between 1 and 2"},
        {COORDINATE "2 2 1\n1 0 1\n", "3: column: 0 is not between 1 and 2"},
        {COORDINATE "2 3 1\n3 1 1\n", "3: row: 3 is not between 1 and 2"},
        {COORDINATE "3 2 1\n1 3 1\n", "3: column: 3 is not between 1 and 2"},
        {COORDINATE "2 2 1\n4294967297 1 1\n", "3: row: 4294967297 is not between 1 and 2"},
        {COORDINATE "2 2 1\n-1 1 1\n", "3: row: -1 is not between 1 and 2"},
        {COORDINATE "2 2 1\n1.0 1 1\n", "3: row: '1.0' is not a whole number"},
        {COORDINATE "2 2 1\n1 x 1\n", "3: column: 'x' is not a whole number"},
        {COORDINATE "2 2 1\n1 1 nan\n", "3: value: 'nan' is not a number"},
        {COORDINATE "2 2 1\n1 1 -inf\n", "3: value: '-inf' is not a number"},
        {COORDINATE "2 2 1\n1 1 1e400\n", "3: value: 1e400 is too large for a double"},
        {COORDINATE "2 2 1\n1 1 0x1p3\n", "3: value: '0x1p3' is not a number"},
        {COORDINATE "2 2 1\n1 1 1,5\n", "3: value: '1,5' is not a number"},
        {COORDINATE "2 2 1\n1 1 1.5x\n", "3: value: '1.5x' is not a number"},
        {COORDINATE "2 2 1\n1 1 1DD3\n", "3: value: '1DD3' is not a number"},
        {COORDINATE "2 2 1\n1 1 +    \n", "3: value: '+' is not a number"},
        {COORDINATE "2 2 1\n1 1 +-1\n", "3: value: '+-1' is not a number"},
        {COORDINATE "2 2 1\n1 1 ++1\n", "3: value: '++1' is not a number"},
        {INTEGER "2 2 1\n1 1 1.5\n", "3: value: '1.5' is not a whole number"},
        {INTEGER "2 2 1\n1 1 9007199254740993\n",
         "3: value: 9007199254740993 is not between -9007199254740992 and 9007199254740992"},
        {SYMMETRIC "3 3 2\n2 1 1\n2 3 1\n",
         "4: row 2, column 3 is above the diagonal; a symmetric file lists the lower triangle"},
        {SKEW "3 3 1\n1 2 1\n",
         "3: row 1, column 2 is above the diagonal; a skew-symmetric file lists the lower "
         "triangle"},
        {SKEW "3 3 1\n2 2 0\n",
         "3: row 2, column 2 is on the diagonal, which is zero in a skew-symmetric matrix and "
         "not listed"},
        /* Sums have no line of their own. */
        {COORDINATE "2 2 2\n1 2 1e308\n1 2 1e308\n",
         " the sum of the entries in row 1, column 2 is too large"},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        refuses(table[i].text, table[i].says);
}

TEST(no_file)
{
    struct csr a;
    struct err e = ERR_INIT;
    assert_int_equal(matrix_market_read(test_dir, &a, NULL, &e), -1);
    assert_non_null(strstr(e.text, "is not a regular file"));
    assert_int_equal(matrix_market_read("/nowhere.mtx", &a, NULL, &e), -1);
    assert_string_equal(e.text, "/nowhere.mtx: No such file or directory");
    assert_null(a.col);
    assert_int_equal(matrix_market_read("/nowhere.mtx", &a, NULL, NULL), -1);
}

/* Files so large that their entries could be there: 13 GB with nothing in them. */
TEST(too_many_entries)
{
    static const struct {
        const char *text, *says;
    } table[] = {
        {PATTERN "90000 90000 2147483648\n",
         ":2: 2147483648 entries are too many; a general file may list 2147483647"},
        {"%%MatrixMarket matrix coordinate pattern symmetric\n90000 90000 1073741824\n",
         ":2: 1073741824 entries are too many; a symmetric file may list 1073741823"},
        {ARRAY "50000 50000\n",
         ":2: 2500000000 entries are too many; a general file may list 2147483647"},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct csr a;
        struct err e = ERR_INIT;
        put_at("large.mtx", table[i].text);
        OWNED char *path = at("large.mtx");
        if (truncate(path, 13000000000) != 0)
            skip(); /* not with this file system, or with a limit for files */
        assert_int_equal(matrix_market_read(path, &a, NULL, &e), -1);
        if (!strstr(e.text, table[i].says))
            fail_msg("%s", e.text);
        assert_int_equal(unlink(path), 0);
    }
}

/* "1 . 2 / . 3 .": rows separated by slashes, a point for what is not stored. */
static char *text_of(const struct csr *a)
{
    struct strbuf sb = STRBUF_INIT;
    for (int32_t i = 0; i < a->rows; i++) {
        int32_t k = a->row_start[i];
        for (int32_t j = 0; j < a->cols; j++) {
            if (i || j)
                strbuf_adds(&sb, j ? " " : " / ");
            if (k < a->row_start[i + 1] && a->col[k] == j)
                strbuf_addf(&sb, "%.17g", a->val[k++]);
            else
                strbuf_adds(&sb, ".");
        }
        assert_int_equal(k, a->row_start[i + 1]); /* the columns ascend */
    }
    assert_int_equal(a->row_start[a->rows], a->nnz);
    return strbuf_detach(&sb);
}

TEST(taken)
{
    static const struct {
        const char *text, *matrix;
    } table[] = {
        {COORDINATE "1 1 0\n", "."},
        {COORDINATE "1 1 0", "."},
        {COORDINATE "1 1 1\n1 1 1", "1"},
        {COORDINATE "2 3 2\n1 2 1.5\n2 3 -2e1\n", ". 1.5 . / . . -20"},
        {COORDINATE "3 2 1\n2 1 .5\n", ". . / 0.5 . / . ."},
        /* Blanks, comments, blank lines, CR LF, capital letters. */
        {"%%MatrixMarket\tMATRIX  Coordinate Real GENERAL \r\n%\r\n%% x\r\n\r\n 2\t2  1 \r\n"
         "  % between\r\n\t2  1\t3\t\r\n\r\n% end\r\n",
         ". . / 3 ."},
        /* Any order; explicit zeros; duplicates. */
        {COORDINATE "2 2 5\n2 2 1\n2 1 2\n1 2 0\n1 1 -0\n2 2 3\n", "-0 0 / 2 4"},
        /* Numbers as C and Fortran print them; too small ones become 0. */
        {COORDINATE
         "1 5 5\n1 1 +1\n1 2 1.E+01\n1 3 0010\n1 4 1e-400\n1 5 -1.7976931348623157e308\n",
         "1 10 10 0 -1.7976931348623157e+308"},
        {COORDINATE "1 4 4\n1 1 0.15D+01\n1 2 -2.5d0\n1 3 +1.D2\n1 4 1D-1\n",
         "1.5 -2.5 100 0.10000000000000001"},
        {"%%MatrixMarket matrix coordinate double general\n1 1 1\n1 1 1.5\n", "1.5"},
        {"%%MatrixMarket matrix coordinate Unsigned-Integer general\n1 2 1\n1 2 4294967295\n",
         ". 4294967295"},
        {INTEGER "1 4 4\n1 1 +7\n1 2 -9007199254740992\n1 3 9007199254740992\n1 4 0\n",
         "7 -9007199254740992 9007199254740992 0"},
        {PATTERN "2 2 3\n1 2\n2 1\n1 2\n", ". 2 / 1 ."},
        {SYMMETRIC "3 3 3\n1 1 1\n3 1 2\n2 2 0\n", "1 . 2 / . 0 . / 2 . ."},
        {SYMMETRIC "2 2 2\n2 1 2\n2 1 3\n", ". 5 / 5 ."},
        {"%%MatrixMarket matrix coordinate pattern symmetric\n2 2 2\n1 1\n2 1\n", "1 1 / 1 ."},
        {SKEW "3 3 2\n2 1 1\n3 2 -2\n", ". -1 . / 1 . 2 / . -2 ."},
        {SKEW "1 1 0\n", "."},
        {ARRAY "2 3\n1\n2\n3\n0\n5\n6\n", "1 3 5 / 2 0 6"},
        {ARRAY "1 3\n1\n2\n3\n", "1 2 3"},
        {"%%MatrixMarket matrix array integer symmetric\n3 3\n1\n2\n3\n4\n5\n6\n",
         "1 2 3 / 2 4 5 / 3 5 6"},
        {"%%MatrixMarket matrix array real skew-symmetric\n3 3\n1\n2\n3\n",
         ". -1 -2 / 1 . -3 / 2 3 ."},
        {"%%MatrixMarket matrix array real skew-symmetric\n1 1\n", "."},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        FREED_BY(csr_free) struct csr a = {0};
        struct err e = ERR_INIT;
        put_at("a.mtx", table[i].text);
        OWNED char *path = at("a.mtx");
        if (matrix_market_read(path, &a, NULL, &e) != 0)
            fail_msg("%s", e.text);
        OWNED char *text = text_of(&a);
        assert_string_equal(text, table[i].matrix);
    }
}

TEST(what_the_file_says)
{
    FREED_BY(csr_free) struct csr a = {0};
    struct matrix_market about;
    put_at("a.mtx", "%%MatrixMarket matrix array integer skew-symmetric\n3 3\n1\n2\n3\n");
    OWNED char *path = at("a.mtx");
    assert_int_equal(matrix_market_read(path, &a, &about, NULL), 0);
    assert_string_equal(matrix_format_name(about.format), "array");
    assert_string_equal(matrix_values_name(about.values), "integer");
    assert_string_equal(matrix_symmetry_name(about.symmetry), "skew-symmetric");
    assert_int_equal(about.entries, 3);
    assert_int_equal(a.nnz, 6);
}

/* So many rows may be empty. An entry beside the diagonal of a symmetric file fills two. */
TEST(most_empty_rows)
{
    static const struct {
        const char *text;
        int32_t rows, nnz, last_col;
    } table[] = {
        {PATTERN "4194305 2147483646 1\n4194305 2147483646\n", 4194305, 1, 2147483645},
        {SYMMETRIC "4194306 4194306 1\n4194306 1 1\n", 4194306, 2, 0},
        {SKEW "4194306 4194306 1\n4194306 1 1\n", 4194306, 2, 0},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        FREED_BY(csr_free) struct csr a = {0};
        struct err e = ERR_INIT;
        put_at("a.mtx", table[i].text);
        OWNED char *path = at("a.mtx");
        if (matrix_market_read(path, &a, NULL, &e) != 0)
            fail_msg("%.60s: %s", table[i].text, e.text);
        assert_int_equal(a.rows, table[i].rows);
        assert_int_equal(a.nnz, table[i].nnz);
        assert_int_equal(a.row_start[a.rows - 1], a.nnz - 1);
        assert_int_equal(a.row_start[a.rows], a.nnz);
        assert_int_equal(a.col[a.nnz - 1], table[i].last_col);
    }
}

/* No work that grows with the square of the entries, in any order: processor time, with room for a
 * busy machine. 10 MB take about 0.2 s. */
TEST(large)
{
    enum { ROWS = 20000, PER_ROW = 30 };
    FREED_BY(strbuf_free) struct strbuf sb = STRBUF_INIT;
    strbuf_addf(&sb, "%s%d %d %d\n", INTEGER, ROWS, ROWS, ROWS * PER_ROW);
    for (int k = 0; k < ROWS * PER_ROW; k++) { /* the first row has a third of them */
        const uint64_t x = rng_child(1, (uint64_t)k);
        strbuf_addf(&sb, "%d %d %d\n", k % 3 ? (int)(x % ROWS) + 1 : 1, (int)((x >> 32) % ROWS) + 1,
                    k);
    }
    put_at("a.mtx", sb.s);
    OWNED char *path = at("a.mtx");
    FREED_BY(csr_free) struct csr a = {0};
    struct err e = ERR_INIT;
    const clock_t start = clock();
    if (matrix_market_read(path, &a, NULL, &e) != 0)
        fail_msg("%s", e.text);
    assert_true((double)(clock() - start) / CLOCKS_PER_SEC < 10);
    assert_in_range(a.nnz, ROWS * PER_ROW / 2, ROWS * PER_ROW);
}

TESTS(test_dir_make, test_dir_remove)
