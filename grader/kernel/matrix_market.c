#include "kernel/matrix_market.h"

#include <float.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/line_reader.h"
#include "base/parse.h"
#include "base/strbuf.h"

static const char *const object_names[] = {"matrix", NULL};
static const char *const format_names[] = {"coordinate", "array", NULL};
static const char *const values_names[] = {"real", "integer", "pattern", NULL};
static const char *const symmetry_names[] = {"general", "symmetric", "skew-symmetric", NULL};

/* Dimensions: rows + 1 is an int32_t, too. */
static const long long DIM_MOST = INT32_MAX - 1;
static const long long ENTRIES_MOST = INT32_MAX;
/* Up to here, a double holds every whole number. */
static const long long WHOLE_MOST = 1LL << 53;

enum { FIELDS_MOST = 6 }; /* one more than a line can have */

const char *matrix_format_name(enum matrix_format f)
{
    return format_names[f];
}

const char *matrix_values_name(enum matrix_values v)
{
    return values_names[v];
}

const char *matrix_symmetry_name(enum matrix_symmetry s)
{
    return symmetry_names[s];
}

struct reader {
    struct line_reader lines;
    struct matrix_market about;
    long long rows, cols;
    long long listed, size_line; /* how many entries the size line announces; its number */
    struct csr_entry *entry;     /* those of the matrix: with the mirrored ones */
    size_t count;
    struct err why; /* from the parser of a field */
};

/* --- lines and fields ------------------------------------------------------------------------- */

static bool has_content(const char *line)
{
    while (*line == ' ' || *line == '\t')
        line++;
    return *line && *line != '%';
}

/* The next line that is neither blank nor a comment: 1, 0 at the end of the file, -1. */
static int next_content(struct reader *r)
{
    int rc;
    do
        rc = line_reader_next(&r->lines);
    while (rc == 1 && !has_content(r->lines.text));
    return rc;
}

/* Split the line at blanks, in place. Returns the number of fields; of more than FIELDS_MOST, only
 * that. */
static int split(char *s, char *field[FIELDS_MOST])
{
    int n = 0;
    while (n < FIELDS_MOST) {
        while (*s == ' ' || *s == '\t')
            s++;
        if (!*s)
            break;
        field[n++] = s;
        while (*s && *s != ' ' && *s != '\t')
            s++;
        if (*s)
            *s++ = '\0';
    }
    return n;
}

/* Record what a parser of base/parse.h says about a field, in r->why. Returns -1. */
static int bad_field(struct reader *r, const char *field)
{
    return line_reader_wrong(&r->lines, "%s: %s", field, r->why.text);
}

static int parse_whole(struct reader *r, const char *field, const char *text, long long min,
                       long long max, long long *out)
{
    return parse_int(text, min, max, out, &r->why) == 0 ? 0 : bad_field(r, field);
}

/* --- the first line --------------------------------------------------------------------------- */

/* Find a word of the first line among those that are supported. */
static int find_word(struct reader *r, const char *what, const char *word, const char *const *names,
                     int *out)
{
    FREED_BY(strbuf_free) struct strbuf all = STRBUF_INIT;
    for (int i = 0; names[i]; i++) {
        if (strcasecmp(word, names[i]) == 0) {
            *out = i;
            return 0;
        }
        strbuf_addf(&all, "%s%s", i ? ", " : "", names[i]);
    }
    line_reader_wrong(&r->lines, "%s '%.60s' is not supported; supported: %s", what, word, all.s);
    return -1;
}

/* Other programs' words for a type of values. */
static const char *usual_word(const char *values)
{
    if (strcasecmp(values, "double") == 0)
        return values_names[MATRIX_REAL];
    return strcasecmp(values, "unsigned-integer") == 0 ? values_names[MATRIX_INTEGER] : values;
}

static int read_banner(struct reader *r)
{
    char *field[FIELDS_MOST];
    const int rc = line_reader_next(&r->lines);
    if (rc < 0)
        return -1;
    if (rc == 0)
        return line_reader_wrong(&r->lines, "the file is empty");
    const int n = split(r->lines.text, field);
    if (n && strcasecmp(field[0], "%MatrixMarket") == 0)
        return line_reader_wrong(&r->lines, "the first line begins with one %%; write "
                                            "%%%%MatrixMarket, with two");
    if (n == 0 || strcasecmp(field[0], "%%MatrixMarket") != 0)
        return line_reader_wrong(&r->lines, "the first line must begin with %%%%MatrixMarket");
    if (n != 5)
        return line_reader_wrong(&r->lines,
                                 "wanted: %%%%MatrixMarket matrix FORMAT VALUES SYMMETRY");
    int object, format, values, symmetry;
    if (find_word(r, "object", field[1], object_names, &object) != 0 ||
        find_word(r, "format", field[2], format_names, &format) != 0 ||
        find_word(r, "type of values", usual_word(field[3]), values_names, &values) != 0 ||
        find_word(r, "symmetry", field[4], symmetry_names, &symmetry) != 0)
        return -1;
    r->about.format = (enum matrix_format)format;
    r->about.values = (enum matrix_values)values;
    r->about.symmetry = (enum matrix_symmetry)symmetry;
    if (values == MATRIX_PATTERN && format == MATRIX_ARRAY)
        return line_reader_wrong(&r->lines, "an array cannot be a pattern");
    if (values == MATRIX_PATTERN && symmetry == MATRIX_SKEW_SYMMETRIC)
        return line_reader_wrong(&r->lines, "a pattern cannot be skew-symmetric: it has no signs");
    return 0;
}

/* --- the size line ---------------------------------------------------------------------------- */

/* The elements of an array that the file lists. */
static long long array_elements(const struct reader *r)
{
    switch (r->about.symmetry) {
    case MATRIX_SYMMETRIC:
        return r->rows * (r->rows + 1) / 2;
    case MATRIX_SKEW_SYMMETRIC:
        return r->rows * (r->rows - 1) / 2;
    default:
        return r->rows * r->cols;
    }
}

/* Refuse sizes that the file cannot have, before memory is allocated for them. */
static int check_size(struct reader *r)
{
    const bool coordinate = r->about.format == MATRIX_COORDINATE;
    const bool general = r->about.symmetry == MATRIX_GENERAL;
    const long long most = general ? ENTRIES_MOST : ENTRIES_MOST / 2; /* the others are mirrored */
    /* Of a shortest entry: a digit and the end of the line, and a digit and a blank for each number
     * before. The last line may lack its end. */
    const long long shortest = !coordinate ? 2 : r->about.values == MATRIX_PATTERN ? 4 : 6;
    const long long room = (r->lines.bytes - r->lines.read + 1) / shortest;
    if (!general && r->rows != r->cols)
        return line_reader_wrong(&r->lines, "a %s matrix is square, not %lld x %lld",
                                 matrix_symmetry_name(r->about.symmetry), r->rows, r->cols);
    if (r->listed > room)
        return line_reader_wrong(
            &r->lines, "%lld entries are announced, but the rest of the file has room for %lld",
            r->listed, room);
    if (r->listed > most)
        return line_reader_wrong(&r->lines, "%lld entries are too many; a %s file may list %lld",
                                 r->listed, matrix_symmetry_name(r->about.symmetry), most);
    /* An entry fills at most one row, and its mirror image another one. */
    if (r->rows - r->listed * (general ? 1 : 2) > MATRIX_MARKET_EMPTY_ROWS_MOST)
        return line_reader_wrong(
            &r->lines, "%lld rows, but only %lld entries; more than %d rows would be empty",
            r->rows, r->listed, MATRIX_MARKET_EMPTY_ROWS_MOST);
    return 0;
}

static int read_size(struct reader *r)
{
    char *field[FIELDS_MOST];
    const bool coordinate = r->about.format == MATRIX_COORDINATE;
    const int rc = next_content(r);
    if (rc < 0)
        return -1;
    if (rc == 0)
        return line_reader_wrong(&r->lines, "the file ends before the line with the size");
    if (split(r->lines.text, field) != (coordinate ? 3 : 2))
        return line_reader_wrong(&r->lines, "wanted the size: ROWS COLUMNS%s",
                                 coordinate ? " ENTRIES" : "");
    if (parse_whole(r, "rows", field[0], 1, DIM_MOST, &r->rows) != 0 ||
        parse_whole(r, "columns", field[1], 1, DIM_MOST, &r->cols) != 0)
        return -1;
    if (!coordinate)
        r->listed = array_elements(r);
    else if (parse_whole(r, "entries", field[2], 0, INT64_MAX, &r->listed) != 0)
        return -1;
    r->size_line = r->lines.number;
    return check_size(r);
}

/* --- the entries ------------------------------------------------------------------------------ */

/* In place: Fortran writes 1.5D+01 for 1.5E+01. */
static void replace_exponent(char *text)
{
    char *d = text + strspn(text, "+-.0123456789"), *digits = d + (*d != '\0');
    digits += *digits == '+' || *digits == '-';
    if (d > text && (*d == 'd' || *d == 'D') && *digits && !digits[strspn(digits, "0123456789")])
        *d = 'e';
}

static int parse_value(struct reader *r, char *text, double *out)
{
    long long whole;
    if (r->about.values == MATRIX_REAL)
        replace_exponent(text);
    if (text[0] == '+' && strchr("+-", text[1]) == NULL) /* C and Fortran can print it */
        text++;
    if (r->about.values == MATRIX_REAL)
        return parse_double(text, -DBL_MAX, DBL_MAX, out, &r->why) == 0 ? 0 : bad_field(r, "value");
    if (parse_whole(r, "value", text, -WHOLE_MOST, WHOLE_MOST, &whole) != 0)
        return -1;
    *out = (double)whole;
    return 0;
}

/* The place of an entry, from the fields of its line. */
static int parse_place(struct reader *r, char *const field[], struct csr_entry *x)
{
    long long row, col;
    if (parse_whole(r, "row", field[0], 1, r->rows, &row) != 0 ||
        parse_whole(r, "column", field[1], 1, r->cols, &col) != 0)
        return -1;
    if (r->about.symmetry != MATRIX_GENERAL && col > row)
        return line_reader_wrong(
            &r->lines,
            "row %lld, column %lld is above the diagonal; a %s file lists the lower "
            "triangle",
            row, col, matrix_symmetry_name(r->about.symmetry));
    if (r->about.symmetry == MATRIX_SKEW_SYMMETRIC && col == row)
        return line_reader_wrong(
            &r->lines,
            "row %lld, column %lld is on the diagonal, which is zero in a skew-symmetric "
            "matrix and not listed",
            row, col);
    x->row = (int32_t)(row - 1);
    x->col = (int32_t)(col - 1);
    return 0;
}

/* The place of the next element of an array, in column-major order. */
static void next_place(const struct reader *r, struct csr_entry *x)
{
    if (++x->row < r->rows)
        return;
    x->col++;
    x->row = 0;
    if (r->about.symmetry == MATRIX_SYMMETRIC)
        x->row = x->col;
    else if (r->about.symmetry == MATRIX_SKEW_SYMMETRIC)
        x->row = x->col + 1;
}

static int parse_entry(struct reader *r, struct csr_entry *x)
{
    static const char *const wanted[] = {"VALUE", "ROW COLUMN", "ROW COLUMN VALUE"};
    const bool coordinate = r->about.format == MATRIX_COORDINATE;
    const bool pattern = r->about.values == MATRIX_PATTERN;
    const int fields = !coordinate ? 1 : pattern ? 2 : 3;
    char *field[FIELDS_MOST];
    if (split(r->lines.text, field) != fields)
        return line_reader_wrong(&r->lines, "wanted an entry: %s", wanted[fields - 1]);
    if (!coordinate)
        next_place(r, x);
    else if (parse_place(r, field, x) != 0)
        return -1;
    x->val = 1;
    return pattern ? 0 : parse_value(r, field[fields - 1], &x->val);
}

static void add_entry(struct reader *r, const struct csr_entry *x)
{
    r->entry[r->count++] = *x;
    if (r->about.symmetry != MATRIX_GENERAL && x->row != x->col)
        r->entry[r->count++] = (struct csr_entry){
            x->col, x->row, r->about.symmetry == MATRIX_SYMMETRIC ? x->val : -x->val};
}

static int read_entries(struct reader *r)
{
    /* The element before the first one of an array. */
    struct csr_entry x = {r->about.symmetry == MATRIX_SKEW_SYMMETRIC ? 0 : -1, 0, 0};
    const bool general = r->about.symmetry == MATRIX_GENERAL;
    r->entry = xcalloc((size_t)r->listed * (general ? 1 : 2), sizeof *r->entry);
    for (long long i = 0; i < r->listed; i++) {
        const int rc = next_content(r);
        if (rc < 0)
            return -1;
        if (rc == 0)
            return line_reader_wrong(&r->lines, "the file ends after %lld of %lld entries", i,
                                     r->listed);
        if (parse_entry(r, &x) != 0)
            return -1;
        add_entry(r, &x);
    }
    const int rc = next_content(r);
    if (rc == 1)
        return line_reader_wrong(&r->lines,
                                 "the file goes on after the %lld entries that line %lld announces",
                                 r->listed, r->size_line);
    return rc;
}

/* ---------------------------------------------------------------------------------------------- */

static int read_matrix(struct reader *r, struct csr *a)
{
    if (read_banner(r) != 0 || read_size(r) != 0 || read_entries(r) != 0)
        return -1;
    r->about.entries = (int32_t)r->listed;
    if (csr_from_entries(a, (int32_t)r->rows, (int32_t)r->cols, r->entry, r->count, r->lines.e) !=
        0)
        return err_context(r->lines.e, "%s", r->lines.path);
    return 0;
}

int matrix_market_read(const char *path, struct csr *a, struct matrix_market *about, struct err *e)
{
    struct reader r = {.entry = NULL};
    *a = (struct csr){0};
    int rc = line_reader_open(&r.lines, path, e);
    if (rc == 0)
        rc = read_matrix(&r, a);
    if (rc == 0 && about)
        *about = r.about;
    free(r.entry);
    line_reader_close(&r.lines);
    return rc;
}
