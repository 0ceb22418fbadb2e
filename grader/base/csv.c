#include "base/csv.h"

#include <csv.h>
#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/fsio.h"
#include "base/number_text.h"
#include "base/strbuf.h"

enum { FILE_MOST = 256 << 20 };

/* --- reading ---------------------------------------------------------------------------------- */

struct reading {
    const char *path;
    struct csv_table *t;
    struct csv_row row;
    size_t line;     /* of the input byte that is being parsed */
    size_t row_line; /* on which the row that is being collected starts */
    size_t seen;     /* rows completed, blank ones included */
    size_t capacity;
    struct err *e;
    bool failed;
};

static void fail(struct reading *r, size_t line, const char *what)
{
    if (!r->failed)
        err_input(r->e, "%s:%zu: %s", r->path, line, what);
    r->failed = true;
}

static void on_field(void *data, size_t len, void *arg)
{
    struct reading *r = arg;
    char *s = xcalloc(len + 1, 1);
    if (len)
        memcpy(s, data, len);
    r->row.field = xrealloc_array(r->row.field, r->row.count + 1, sizeof *r->row.field);
    r->row.field[r->row.count++] = s;
}

static void row_free(struct csv_row *row)
{
    for (size_t i = 0; i < row->count; i++)
        free(row->field[i]);
    free(row->field);
    *row = (struct csv_row){0};
}

static bool blank(const struct csv_row *row)
{
    return row->count == 0 || (row->count == 1 && !row->field[0][0]);
}

static void on_row(int end, void *arg)
{
    (void)end;
    struct reading *r = arg;
    struct csv_table *t = r->t;
    r->seen++;
    if (blank(&r->row)) {
        row_free(&r->row);
        return;
    }
    r->row.line = r->row_line;
    size_t width = t->count ? t->row[0].count : r->row.count;
    if (r->row.count > width)
        fail(r, r->row_line, "the row has more fields than the header");
    while (r->row.count < width)
        on_field(NULL, 0, r);
    if (t->count == r->capacity) {
        r->capacity = r->capacity ? 2 * r->capacity : 64;
        t->row = xrealloc_array(t->row, r->capacity, sizeof *t->row);
    }
    t->row[t->count++] = r->row;
    r->row = (struct csv_row){0};
}

/* Bytes of the first line, its end included: LF, CR LF, or CR alone (old spreadsheets). */
static size_t line_length(const char *s, size_t len)
{
    for (size_t i = 0; i < len; i++)
        if (s[i] == '\n' || (s[i] == '\r' && (i + 1 == len || s[i + 1] != '\n')))
            return i + 1;
    return len;
}

/* libcsv's own words for what a field does wrong name only its setting. */
static const char *parse_error(int code)
{
    return code == CSV_EPARSE ? "a quotation mark is in the middle of a field: write the field in "
                                "quotation marks, and those inside it twice"
                              : csv_strerror(code);
}

/* libcsv does not count lines, so it gets one line at a time. A row starts on the line after the
 * one that completed the row before. CSV_REPALL_NL makes libcsv report blank lines, too, so that
 * every line is counted; on_row() drops the blank ones. */
static void feed(struct reading *r, struct csv_parser *p, const char *s, size_t len)
{
    while (len && !r->failed) {
        size_t n = line_length(s, len), rows = r->seen;
        r->line++;
        if (csv_parse(p, s, n, on_field, on_row, r) != n)
            fail(r, r->line, parse_error(csv_error(p)));
        if (r->seen != rows)
            r->row_line = r->line + 1;
        s += n;
        len -= n;
    }
}

/* Spreadsheets write semicolons or tabs in some languages, and then put no quotes around a comma.
 * So the header has each of them, perhaps, and the most frequent one separates its fields. */
char csv_delimiter(const char *s, size_t len)
{
    static const char candidates[] = ",;\t"; /* the first of those that are equally frequent */
    size_t count[sizeof candidates] = {0}, best = 0;
    bool quoted = false;
    for (size_t i = 0; i < len && (quoted || !strchr("\r\n", s[i])); i++) {
        const char *at = quoted ? NULL : strchr(candidates, s[i]);
        quoted ^= s[i] == '"';
        if (at)
            count[at - candidates]++;
    }
    for (size_t k = 1; candidates[k]; k++)
        if (count[k] > count[best])
            best = k;
    return candidates[best];
}

static bool is_utf16(const char *s, size_t len)
{
    return len >= 2 && (memcmp(s, "\xff\xfe", 2) == 0 || memcmp(s, "\xfe\xff", 2) == 0);
}

int csv_read(const char *path, struct csv_table *t, struct err *e)
{
    *t = (struct csv_table){0};
    OWNED char *data = NULL;
    size_t len;
    if (fs_read(path, FILE_MOST, &data, &len, e) != 0)
        return -1;
    struct reading r = {.path = path, .t = t, .e = e, .row_line = 1};
    const char *s = data;
    if (len >= 3 && memcmp(s, "\xef\xbb\xbf", 3) == 0) {
        s += 3;
        len -= 3;
    }
    struct csv_parser p;
    if (is_utf16(s, len))
        fail(&r, 1, "UTF-16 text; save the file as UTF-8 (in a spreadsheet: 'CSV UTF-8')");
    else if (memchr(s, '\0', len))
        fail(&r, 1, "holds a NUL byte: not a CSV file");
    else if (csv_init(&p, CSV_STRICT | CSV_STRICT_FINI | CSV_APPEND_NULL | CSV_REPALL_NL) != 0)
        err_system(e, "%s: libcsv cannot start", path);
    else {
        csv_set_delim(&p, (unsigned char)csv_delimiter(s, len));
        feed(&r, &p, s, len);
        if (!r.failed && csv_fini(&p, on_field, on_row, &r) != 0)
            fail(&r, r.row_line, "a quoted field is not closed");
        csv_free(&p);
    }
    row_free(&r.row);
    if (!r.failed && !t->count)
        fail(&r, 1, "the file is empty");
    if (r.failed) {
        csv_table_free(t);
        return -1;
    }
    return 0;
}

void csv_table_free(struct csv_table *t)
{
    for (size_t i = 0; i < t->count; i++)
        row_free(&t->row[i]);
    free(t->row);
    *t = (struct csv_table){0};
}

static bool same_name(const char *field, const char *name)
{
    field += strspn(field, " \t");
    size_t n = strlen(field);
    while (n && strchr(" \t", field[n - 1]))
        n--;
    return n == strlen(name) && strncasecmp(field, name, n) == 0;
}

int csv_column(const struct csv_table *t, const char *name)
{
    for (size_t i = 0; t->count && i < t->row[0].count; i++)
        if (same_name(t->row[0].field[i], name))
            return (int)i;
    return -1;
}

/* --- writing ---------------------------------------------------------------------------------- */

struct csv_out {
    struct strbuf text; /* the rows that are complete */
    char **name;        /* of each column */
    struct field {
        struct strbuf text; /* encoded */
        bool is_written;    /* in the current row */
    } * field;
    size_t columns;
    bool has_header;
};

struct csv_out *csv_out_new(void)
{
    struct csv_out *o = xcalloc(1, sizeof *o);
    o->text = (struct strbuf)STRBUF_INIT;
    return o;
}

static _Noreturn void mistake(const char *column, const char *what)
{
    fprintf(stderr, "CSV: the column '%s' %s\n", column, what);
    abort();
}

size_t csv_out_column(struct csv_out *o, const char *name)
{
    if (o->has_header)
        mistake(name, "comes after the first row");
    o->name = xrealloc_array(o->name, o->columns + 1, sizeof *o->name);
    o->field = xrealloc_array(o->field, o->columns + 1, sizeof *o->field);
    o->name[o->columns] = xstrdup(name);
    o->field[o->columns] = (struct field){STRBUF_INIT, false};
    return o->columns++;
}

/* Where the encoded text of a field goes; empty now. */
static struct strbuf *field_of(struct csv_out *o, size_t column)
{
    if (column >= o->columns)
        mistake("?", "belongs to another table");
    struct field *f = &o->field[column];
    if (f->is_written)
        mistake(o->name[column], "is written twice in one row");
    f->is_written = true;
    strbuf_clear(&f->text);
    return &f->text;
}

/* Spreadsheets run text that starts with one of these characters as a formula, and students choose
 * the text. */
static bool formula(const char *s)
{
    return *s && strchr("=+-@\t\r", *s);
}

static void quote(struct strbuf *out, const char *s)
{
    const size_t len = strlen(s), plain = strcspn(s, ",\"\r\n");
    if (plain == len) {
        strbuf_add(out, s, len);
        return;
    }
    OWNED char *quoted = xcalloc(2 * len + 3, 1);
    csv_write(quoted, 2 * len + 3, s, len);
    strbuf_adds(out, quoted);
}

static void encode(struct strbuf *out, const char *s)
{
    OWNED char *text = formula(s) ? xasprintf("'%s", s) : NULL;
    quote(out, text ? text : s);
}

void csv_out_str(struct csv_out *o, size_t column, const char *s)
{
    encode(field_of(o, column), s);
}

void csv_out_own(struct csv_out *o, size_t column, const char *s)
{
    quote(field_of(o, column), s);
}

void csv_out_int(struct csv_out *o, size_t column, long long v)
{
    number_add_int(field_of(o, column), v);
}

void csv_out_number(struct csv_out *o, size_t column, const char *s)
{
    char *end;
    (void)strtod(s, &end);
    if (*s && !*end)
        strbuf_adds(field_of(o, column), s);
    else
        csv_out_str(o, column, s);
}

void csv_out_num(struct csv_out *o, size_t column, double v, int significant)
{
    struct strbuf *out = field_of(o, column);
    if (isfinite(v))
        number_add(out, v, significant);
}

void csv_out_decimal(struct csv_out *o, size_t column, double v, int decimals)
{
    const double unit = pow(10, -decimals);
    const bool nothing = fabs(v) < unit / 2; /* else -0 */
    OWNED char *text = isfinite(v) ? xasprintf("%.*f", decimals, nothing ? 0 : v) : xstrdup("");
    size_t n = strlen(text);
    if (strchr(text, '.')) {
        while (text[n - 1] == '0')
            n--;
        text[text[n - 1] == '.' ? n - 1 : n] = '\0';
    }
    strbuf_adds(field_of(o, column), text);
}

/* The header is complete when the first row ends. */
static void append_header(struct csv_out *o)
{
    if (o->has_header)
        return;
    o->has_header = true;
    for (size_t i = 0; i < o->columns; i++) {
        strbuf_adds(&o->text, i ? "," : "");
        encode(&o->text, o->name[i]);
    }
    strbuf_adds(&o->text, "\r\n"); /* RFC 4180, section 2 */
}

void csv_out_end_row(struct csv_out *o)
{
    append_header(o);
    for (size_t i = 0; i < o->columns; i++) {
        struct field *f = &o->field[i];
        if (!f->is_written)
            mistake(o->name[i], "is missing in a row");
        strbuf_adds(&o->text, i ? "," : "");
        strbuf_add(&o->text, f->text.s, f->text.len);
        f->is_written = false;
    }
    strbuf_adds(&o->text, "\r\n");
}

int csv_out_close(struct csv_out *o, const char *path, struct err *e)
{
    for (size_t i = 0; i < o->columns; i++)
        if (o->field[i].is_written)
            mistake(o->name[i], "is written after the last row");
    int rc = 0;
    if (o->has_header)
        rc = fs_write_atomic(path, o->text.s, o->text.len, e);
    else if (unlink(path) != 0 && errno != ENOENT)
        rc = err_system(e, "%s: cannot be removed: %s", path, strerror(errno));
    for (size_t i = 0; i < o->columns; i++) {
        free(o->name[i]);
        strbuf_free(&o->field[i].text);
    }
    free(o->name);
    free(o->field);
    strbuf_free(&o->text);
    free(o);
    return rc;
}
