#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/heat_map.h"
#include "base/json.h"
#include "base/strbuf.h"
#include "base/term.h"
#include "cmd/options.h"
#include "kernel/matrix_market.h"
#include "kernel/sparse_density.h"
#include "kernel/sparse_facts.h"

/* Of a picture, without its frame: with it, 72 x 24 characters. */
enum { PICTURE_COLS = 70, PICTURE_ROWS = 22, PICTURE_COLS_LEAST = 8 };

struct matrix_file {
    const char *path;
    struct matrix_market about;
    int32_t rows, cols;
    struct sparse_facts facts;
    double *density; /* the cells of the picture */
    struct heat_map picture;
};

static int least(int a, int b)
{
    return a < b ? a : b;
}

/* A square matrix gets a picture that looks square, and a tall one a narrow picture: a character is
 * about twice as high as it is wide. */
static void make_picture(struct matrix_file *f, const struct csr *a)
{
    struct heat_map m = {.rows = least(a->rows, PICTURE_ROWS), .unicode = term_utf8()};
    const int columns = term_columns(stdout);
    const int most = columns > PICTURE_COLS_LEAST ? least(PICTURE_COLS, columns - 2) : PICTURE_COLS;
    const double in_proportion = round(2.0 * m.rows * a->cols / a->rows);
    m.cols = (int)fmin(most, fmax(PICTURE_COLS_LEAST, in_proportion));
    m.cols = least(m.cols, a->cols);
    f->density = xcalloc((size_t)m.rows * (size_t)m.cols, sizeof *f->density);
    sparse_density(a, m.rows, m.cols, f->density);
    m.cell = f->density;
    f->picture = m;
}

static int read_file(const char *path, struct matrix_file *m, struct err *e)
{
    FREED_BY(csr_free) struct csr a = {0};
    *m = (struct matrix_file){.path = path};
    if (matrix_market_read(path, &a, &m->about, e) != 0)
        return -1;
    m->rows = a.rows;
    m->cols = a.cols;
    m->facts = sparse_facts(a.rows, a.row_start, a.col);
    make_picture(m, &a);
    return 0;
}

static void print_table(const struct matrix_file *m, size_t count)
{
    static const char *const texts[] = {"format", "values", "symmetry"};
    static const char *const numbers[] = {"rows",     "columns", "nnz",      "row_min",
                                          "row_mean", "row_max", "variance", "empty_rows",
                                          "padding",  "ell_mb",  "csr_mb",   "bandwidth"};
    struct term_table *t = term_table_new(NULL);
    term_table_column(t, "file", TERM_LEFT);
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        term_table_column(t, numbers[i], TERM_RIGHT);
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        term_table_column(t, texts[i], TERM_LEFT);
    for (; count; count--, m++) {
        const struct sparse_facts *f = &m->facts;
        term_table_cell(t, TERM_BOLD, "%s", m->path);
        term_table_cell(t, TERM_PLAIN, "%d", m->rows);
        term_table_cell(t, TERM_PLAIN, "%d", m->cols);
        term_table_cell(t, TERM_PLAIN, "%d", f->nnz);
        term_table_cell(t, TERM_PLAIN, "%d", f->row_min);
        term_table_cell(t, TERM_PLAIN, "%.4g", f->mean);
        term_table_cell(t, TERM_PLAIN, "%d", f->width);
        term_table_cell(t, TERM_PLAIN, "%.4g", f->variance);
        term_table_cell(t, TERM_PLAIN, "%d", f->empty_rows);
        term_table_cell(t, TERM_PLAIN, "%.4g", f->padding);
        term_table_cell(t, TERM_PLAIN, "%.4g", f->ellpack_bytes * 1e-6);
        term_table_cell(t, TERM_PLAIN, "%.4g", f->csr_bytes * 1e-6);
        term_table_cell(t, TERM_PLAIN, "%d", f->bandwidth);
        term_table_cell(t, TERM_PLAIN, "%s", matrix_format_name(m->about.format));
        term_table_cell(t, TERM_PLAIN, "%s", matrix_values_name(m->about.values));
        term_table_cell(t, TERM_PLAIN, "%s", matrix_symmetry_name(m->about.symmetry));
        term_table_end_row(t);
    }
    term_table_print(t, stdout);
}

static void print_picture(const struct matrix_file *m)
{
    OWNED char *path = xstrdup(m->path);
    term_make_printable(path);
    printf("\n%s: %d x %d\n", path, m->rows, m->cols);
    heat_map_print(stdout, &m->picture, "stored elements per character:");
}

static json_t *file_json(const struct matrix_file *m)
{
    const struct sparse_facts *f = &m->facts;
    json_t *o = json_pack("{s:o, s:s, s:s, s:s, s:i, s:i, s:i}", "file", json_printable(m->path),
                          "format", matrix_format_name(m->about.format), "values",
                          matrix_values_name(m->about.values), "symmetry",
                          matrix_symmetry_name(m->about.symmetry), "listed", m->about.entries,
                          "rows", m->rows, "columns", m->cols);
    json_object_set_new(o, "nnz", json_integer(f->nnz));
    json_object_set_new(o, "row_min", json_integer(f->row_min));
    json_object_set_new(o, "row_mean", json_real(f->mean));
    json_object_set_new(o, "row_max", json_integer(f->width));
    json_object_set_new(o, "variance", json_real(f->variance));
    json_object_set_new(o, "empty_rows", json_integer(f->empty_rows));
    json_object_set_new(o, "padding", json_real(f->padding));
    json_object_set_new(o, "ell_bytes", json_integer((json_int_t)f->ellpack_bytes));
    json_object_set_new(o, "csr_bytes", json_integer((json_int_t)f->csr_bytes));
    json_object_set_new(o, "bandwidth", json_integer(f->bandwidth));
    return o;
}

static int print(const struct options *args, const struct matrix_file *m, size_t count,
                 struct err *e)
{
    if (args->json) {
        json_t *list = json_array();
        for (size_t i = 0; i < count; i++)
            json_array_append_new(list, file_json(&m[i]));
        return json_print(stdout, list, e);
    }
    if (count)
        print_table(m, count);
    for (size_t i = 0; (args->picture || term_for_people(stdout)) && i < count; i++)
        print_picture(&m[i]);
    return 0;
}

/* Those that cannot be read are reported, and the others are printed. */
static int run(const struct options *args)
{
    if (args->json && args->picture)
        return command_usage(&cmd_matrix, "--json has no pictures: not with --picture");
    struct err e = ERR_INIT;
    OWNED struct matrix_file *m = xcalloc(args->operands, sizeof *m);
    size_t count = 0;
    int status = EXIT_OK;
    for (size_t i = 0; i < args->operands; i++) {
        if (read_file(args->operand[i], &m[count], &e) == 0) {
            count++;
            continue;
        }
        const int failed = command_error(&cmd_matrix, &e);
        status = status == EXIT_OK ? failed : status;
    }
    if (print(args, m, count, &e) != 0)
        status = command_error(&cmd_matrix, &e);
    for (size_t i = 0; i < count; i++)
        free(m[i].density);
    return status;
}

const struct command cmd_matrix = {
    .name = "matrix",
    .usage = "matrix [options] FILE...",
    .summary = "show what sparse matrices in Matrix Market files are like",
    .more = "A line for each file: its format, the size of the matrix, its stored entries\n"
            "(nnz), the entries per row (minimum, mean, maximum, variance), empty rows, and\n"
            "the bandwidth, which is the largest distance of an entry from the diagonal.\n"
            "ELLPACK stores every row with row_max entries: padding is the share of them\n"
            "that it adds. ell_mb and csr_mb are the sizes in megabytes. On a terminal, a\n"
            "picture shows where the entries are.\n"
            "\n"
            "A file has one entry per line; `docs/sparse.md` describes the format.\n"
            "\n"
            "examples:\n"
            "  paragrade matrix testcases/spmm/matrices/*.mtx\n"
            "  paragrade matrix --json poisson.mtx | jq '.[0].padding'\n"
            "\n"
            "exit status: 0 all files were read, 1 the machine failed, 2 bad arguments or a\n"
            "file that is wrong\n",
    .bit = on_matrix,
    .least = 1,
    .most = OPERANDS_MANY,
    .operands = "give one or more Matrix Market files",
    .run = run,
};
