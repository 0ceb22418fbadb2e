#include "base/csv.h"

#include <csv.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/fsio.h"
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

/* Bytes up to and with the end of the line: LF, CR LF, or - old spreadsheets - CR alone. */
static size_t line_length(const char *s, size_t len)
{
    for (size_t i = 0; i < len; i++)
        if (s[i] == '\n' || (s[i] == '\r' && (i + 1 == len || s[i + 1] != '\n')))
            return i + 1;
    return len;
}

/* CSV_REPALL_NL reports blank lines, too, so that rows can be counted; on_row() drops them.
 * Line by line, because libcsv does not count lines; a row starts on the line after the one that
 * completed the row before. */
static void feed(struct reading *r, struct csv_parser *p, const char *s, size_t len)
{
    while (len && !r->failed) {
        size_t n = line_length(s, len), rows = r->seen;
        r->line++;
        if (csv_parse(p, s, n, on_field, on_row, r) != n)
            fail(r, r->line, csv_strerror(csv_error(p)));
        if (r->seen != rows)
            r->row_line = r->line + 1;
        s += n;
        len -= n;
    }
}

int csv_read(const char *path, struct csv_table *t, struct err *e)
{
    *t = (struct csv_table){0};
    char *data;
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
    if (memchr(s, '\0', len))
        fail(&r, 1, "holds a NUL byte: not a CSV file");
    else if (csv_init(&p, CSV_STRICT | CSV_STRICT_FINI | CSV_APPEND_NULL | CSV_REPALL_NL) != 0)
        err_system(e, "%s: libcsv cannot start", path);
    else {
        feed(&r, &p, s, len);
        if (!r.failed && csv_fini(&p, on_field, on_row, &r) != 0)
            fail(&r, r.row_line, "a quoted field is not closed");
        csv_free(&p);
    }
    row_free(&r.row);
    free(data);
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
    struct strbuf text;
    bool in_row;
};

struct csv_out *csv_out_new(void)
{
    struct csv_out *o = xcalloc(1, sizeof *o);
    o->text = (struct strbuf)STRBUF_INIT;
    return o;
}

static void separate(struct csv_out *o)
{
    if (o->in_row)
        strbuf_adds(&o->text, ",");
    o->in_row = true;
}

/* Spreadsheets run text that starts with these as a formula; students choose the text. */
static bool formula(const char *s)
{
    return *s && strchr("=+-@\t\r", *s);
}

void csv_out_str(struct csv_out *o, const char *s)
{
    separate(o);
    char *safe = formula(s) ? xasprintf("'%s", s) : NULL;
    const char *text = safe ? safe : s;
    size_t n = strlen(text);
    if (!n || !text[strcspn(text, ",\"\r\n")]) {
        strbuf_adds(&o->text, text);
    } else {
        char *quoted = xcalloc(2 * n + 3, 1);
        size_t written = csv_write(quoted, 2 * n + 3, text, n);
        strbuf_add(&o->text, quoted, written);
        free(quoted);
    }
    free(safe);
}

void csv_out_int(struct csv_out *o, long long v)
{
    separate(o);
    strbuf_addf(&o->text, "%lld", v);
}

void csv_out_num(struct csv_out *o, double v, int significant)
{
    separate(o);
    if (isfinite(v))
        strbuf_addf(&o->text, "%.*g", significant, v);
}

void csv_out_end_row(struct csv_out *o)
{
    strbuf_adds(&o->text, "\r\n"); /* RFC 4180, section 2 */
    o->in_row = false;
}

int csv_out_close(struct csv_out *o, const char *path, struct err *e)
{
    int rc = fs_write_atomic(path, o->text.s, o->text.len, e);
    strbuf_free(&o->text);
    free(o);
    return rc;
}
