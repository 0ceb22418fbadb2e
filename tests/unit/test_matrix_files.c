/* Matrices from files as structures of sizes: what is refused, what is computed, what is shared. */
#include "unit.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kernel/kernel.h"
#include "kernel/spmm.h"

#include "test_dir.h"

#define GENERAL "%%MatrixMarket matrix coordinate real general\n"

static const struct kernel *const csr = &kernel_spmm_csr_f64, *const ell = &kernel_spmm_ell_f64;

/* 5 x 4, rows of 2, 0, 1, 3 and 0 entries, not in order; one of them has the value 0. */
static const char small[] = GENERAL "5 4 6\n4 4 1\n1 3 2\n1 1 0\n4 1 4\n4 2 5\n3 2 -6\n";

static struct matrix_files *files;

static int fresh(void **arg)
{
    if (test_dir_clear(arg) != 0)
        return -1;
    put_at("small.mtx", small);
    put_at("more/none.mtx", GENERAL "3 2 0\n");
    put_at("more/broken.mtx", GENERAL "3 4 2\n1 2 1\n0 2 1\n");
    put_at("long.mtx", GENERAL "100000 30000 3\n1 1 1\n100000 5 1\n7 7 1\n");
    files = matrix_files_new(test_dir);
    return 0;
}

static int done(void **arg)
{
    matrix_files_free(files);
    return 0;
}

TEST(refused)
{
    static const struct {
        const char *text, *says;
    } table[] = {
        {"small.mtx", "is not a size; write STRUCTURE:300x20x4000"},
        {"small.mtx", "A Matrix Market file has neither M nor N: matrices/a.mtx:4000"},
        {"small.mtx:", "is not a size"},
        {"small.mtx:0", "is not a size"},
        {"small.mtx:5x4x8", "is not a size"},
        {"small.mtx:5x8", "is not a size"},
        {"small.mtx:x8", "is not a size"},
        {".mtx:8", "cannot be the path of a matrix"},
        {"/etc/small.mtx:8", "must lie in the directory of the assignment or below"},
        {"../small.mtx:8", "'../small.mtx' cannot be the path of a matrix"},
        {"more/../small.mtx:8", "cannot be the path"},
        {"./small.mtx:8", "cannot be the path"},
        {"more//none.mtx:8", "cannot be the path"},
        {".hidden.mtx:8", "cannot be the path"},
        {"-a.mtx:8", "cannot be the path"},
        {"=a.mtx:8", "cannot be the path"},
        {"a b.mtx:8", "names consist of letters, digits"},
        {"a\n.mtx:8", "cannot be the path"},
        {"small.mtx:more/a.mtx:8", "is not a size"},
        {"a23456789012345678901234567890123456789012345678901234567890.mtx:8", "at most 63 char"},
        {"nowhere.mtx:8", "nowhere.mtx: No such file or directory"},
        {"more/broken.mtx:8", "more/broken.mtx:4: row: 0 is not between 1 and 3"},
        {"directory.mtx:8", "is not a regular file"},
        {"small.mat:8", "is not a structure; there are: poisson"},
        {"small.MTX:8", "and Matrix Market files: matrices/a.mtx"},
        {"long.mtx:100000", "X would have 30000 x 100000 elements"},
    };
    OWNED char *directory = at("directory.mtx");
    assert_int_equal(fs_mkdirs(directory, NULL), 0);
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct shape s;
        struct err e = ERR_INIT;
        if (kernel_shape(csr, table[i].text, files, &s, &e) == 0)
            fail_msg("'%s' was accepted", table[i].text);
        assert_int_equal(e.kind, ERR_INPUT);
        if (!strstr(e.text, table[i].says))
            fail_msg("'%s': said '%s', not '%s'", table[i].text, e.text, table[i].says);
    }
    struct shape s;
    struct err e = ERR_INIT;
    assert_int_equal(kernel_shape(csr, "small.mtx:8", NULL, &s, &e), -1);
    assert_string_equal(e.text, "'small.mtx': there are no matrices from files here");
}

/* Before it is read: the file is a hole of a gigabyte behind the first line. */
TEST(too_large)
{
    struct err e = ERR_INIT;
    OWNED char *path = xasprintf("%s/small.mtx", test_dir);
    assert_int_equal(truncate(path, (off_t)MATRIX_FILE_MOST + 1), 0);
    assert_null(matrix_files_get(files, "small.mtx", &e));
    assert_non_null(strstr(e.text, "small.mtx: the file has more than 1073741824 bytes"));
}

TEST(taken)
{
    static const struct {
        const char *text;
        int dim[3], nnz, width;
        double padding, variance;
    } table[] = {
        {"small.mtx:8", {5, 4, 8}, 6, 3, 0.6, 1.36}, {"small.mtx:1", {5, 4, 1}, 6, 3, 0.6, 1.36},
        {"more/none.mtx:7", {3, 2, 7}, 0, 0, 0, 0},  {"square.mtx:8", {2, 2, 8}, 2, 1, 0, 0},
        {"square.mtx:2", {2, 2, 2}, 2, 1, 0, 0}, /* all dimensions are equal */
    };
    put_at("square.mtx", GENERAL "2 2 2\n1 1 1\n2 2 1\n");
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct shape s, again;
        struct err e = ERR_INIT;
        char text[SHAPE_TEXT];
        if (kernel_shape(csr, table[i].text, files, &s, &e) != 0)
            fail_msg("'%s': %s", table[i].text, e.text);
        assert_memory_equal(s.dim, table[i].dim, sizeof table[i].dim);
        assert_int_equal(shape_extent(s, SPMM_NNZ), table[i].nnz);
        assert_int_equal(shape_extent(s, SPMM_WIDTH), table[i].width);
        assert_true(s.fact[0] > table[i].padding - 1e-12 && s.fact[0] < table[i].padding + 1e-12);
        assert_true(s.fact[1] > table[i].variance - 1e-12 && s.fact[1] < table[i].variance + 1e-12);
        shape_format(s, text);
        assert_string_equal(text, table[i].text);
        assert_int_equal(kernel_shape(ell, text, files, &again, &e), 0);
        assert_true(shape_equal(s, again));
    }
    assert_int_equal(files->count, 3); /* each was read once */
}

/* ELLPACK refuses a matrix that would be nearly all padding. */
TEST(too_wide)
{
    struct strbuf text = STRBUF_INIT;
    struct shape s;
    struct err e = ERR_INIT;
    strbuf_adds(&text, GENERAL "200000 20000 20000\n");
    for (int j = 1; j <= 20000; j++)
        strbuf_addf(&text, "7 %d 1\n", j);
    put_at("wide.mtx", text.s);
    strbuf_free(&text);
    assert_int_equal(kernel_shape(csr, "wide.mtx:1", files, &s, &e), 0);
    assert_int_equal(kernel_shape(ell, "wide.mtx:1", files, &s, &e), -1);
    assert_string_equal(e.text, "'wide.mtx:1': col would have 200000 x 20000 elements, more than "
                                "2^31 - 1 (16 GB)");
}

/* A structure that was read without its file is equal to one with its matrix. */
TEST(paths_are_enough_to_compare)
{
    struct shape s;
    struct structure path, other;
    char text[STRUCTURE_TEXT];
    assert_int_equal(kernel_shape(csr, "small.mtx:8", files, &s, NULL), 0);
    assert_int_equal(structure_parse("small.mtx:8", 9, &path, NULL), 0);
    assert_int_equal(structure_parse("more/small.mtx", 14, &other, NULL), 0);
    assert_null(path.matrix);
    assert_true(structure_equal(path, s.structure));
    assert_false(structure_equal(other, s.structure));
    structure_format(path, text);
    assert_string_equal(text, "small.mtx");
}

/* The operands of one run. */
static void **operands(const struct kernel *k, struct shape s, uint64_t seed)
{
    void **in = xcalloc((size_t)k->inputs, sizeof *in);
    for (int i = 0; i < k->inputs; i++) {
        in[i] = xcalloc(operand_bytes(&k->in[i], s) + 1, 1);
        k->generate(k, s, VALUES_BALANCED, seed, i, in[i]);
    }
    return in;
}

static void discard(const struct kernel *k, void **in)
{
    for (int i = 0; i < k->inputs; i++)
        free(in[i]);
    free(in);
}

/* Each run has the rows of the file, at another place and with other columns. No value is that of
 * the file, and none is 0. */
TEST(rows_of_the_file)
{
    static const int start[] = {0, 2, 2, 3, 6, 6}, cols[] = {0, 2, 1, 0, 1, 3};
    struct shape s;
    assert_int_equal(kernel_shape(csr, "small.mtx:2", files, &s, NULL), 0);
    for (uint64_t seed = 1; seed < 50; seed++) {
        const struct rotation r = sparse_rotation(s.structure, 5, 4, seed);
        void **in = operands(csr, s, seed);
        const int *row_start = in[0], *col = in[1];
        const double *val = in[2];
        assert_int_equal(row_start[5], 6);
        for (int i = 0; i < 5; i++) {
            const int from = (i + r.rows) % 5, n = row_start[i + 1] - row_start[i];
            assert_int_equal(n, start[from + 1] - start[from]);
            for (int e = row_start[i]; e < row_start[i + 1]; e++) {
                bool found = false;
                for (int k = start[from]; k < start[from + 1]; k++)
                    found = found || (cols[k] + r.cols) % 4 == col[e];
                assert_true(found && val[e] != 0);
                assert_true(e == row_start[i] || col[e] > col[e - 1]);
            }
        }
        discard(csr, in);
    }
}

/* A case is the same matrix in both kernels. */
TEST(both_formats)
{
    static const char *const sizes[] = {"small.mtx:3", "more/none.mtx:2"};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        struct shape s;
        double y[2][5 * 3] = {{0}};
        assert_int_equal(kernel_shape(csr, sizes[i], files, &s, NULL), 0);
        const struct kernel *const kernels[] = {csr, ell};
        for (int k = 0; k < 2; k++) {
            void **in = operands(kernels[k], s, 77);
            kernels[k]->expect(s, (const void *const *)in, y[k]);
            discard(kernels[k], in);
        }
        assert_memory_equal(y[0], y[1], sizeof y[0]);
        assert_true(y[0][0] != 0 || y[0][3] != 0 || y[0][6] != 0 || i == 1);
    }
}

/* Two assignments can have different files with the same path. */
TEST(same_path_elsewhere)
{
    put_at("other/small.mtx", GENERAL "5 4 1\n1 1 1\n");
    OWNED char *dir = at("other");
    struct matrix_files *other = matrix_files_new(dir);
    struct shape a, b;
    struct rotation r;
    assert_int_equal(kernel_shape(csr, "small.mtx:3", files, &a, NULL), 0);
    assert_int_equal(kernel_shape(csr, "small.mtx:3", other, &b, NULL), 0);
    assert_int_equal(spmm_structure(a, 1, &r)->row_start[5], 6);
    assert_int_equal(spmm_structure(b, 1, &r)->row_start[5], 1);
    matrix_files_free(other);
}

TESTS_WITH(fresh, done, test_dir_make, test_dir_remove)
