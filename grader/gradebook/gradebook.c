#include "gradebook/gradebook.h"

#include <errno.h>
#include <iconv.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/csv.h"
#include "base/fsio.h"
#include "base/json.h"
#include "base/strbuf.h"

enum { FILE_MOST = 64 << 20, TITLES_MOST = 20 /* lines before the header */ };

/* --- encodings -------------------------------------------------------------------------------- */

/* Convert between encodings that can hold the same characters. 0, or -1: the text is not valid. */
static int convert(const char *to, const char *from, const char *text, size_t len,
                   struct strbuf *out)
{
    iconv_t c = iconv_open(to, from);
    if (c == (iconv_t)-1)
        return -1;
    char *in = (char *)text, block[4096];
    int rc = 0;
    while (len && rc == 0) {
        char *next = block;
        size_t left = sizeof block;
        if (iconv(c, &in, &len, &next, &left) == (size_t)-1 && errno != E2BIG)
            rc = -1;
        strbuf_add(out, block, sizeof block - left);
    }
    iconv_close(c);
    return rc;
}

static const char *utf16_name(enum gradebook_encoding encoding)
{
    return encoding == GRADEBOOK_UTF16_LE ? "UTF-16LE" : "UTF-16BE";
}

static const struct {
    enum gradebook_encoding encoding;
    const char *bom;
    size_t len;
} marks[] = {
    {GRADEBOOK_BYTES, "\xef\xbb\xbf", 3},
    {GRADEBOOK_UTF16_LE, "\xff\xfe", 2},
    {GRADEBOOK_UTF16_BE, "\xfe\xff", 2},
};

static const char *bom_of(const struct gradebook *g, size_t *len)
{
    for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++)
        if (g->bom && marks[i].encoding == g->encoding) {
            *len = marks[i].len;
            return marks[i].bom;
        }
    *len = 0;
    return "";
}

static int decode(struct gradebook *g, const char *path, const char *data, size_t len,
                  struct err *e)
{
    for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++)
        if (len >= marks[i].len && memcmp(data, marks[i].bom, marks[i].len) == 0) {
            g->encoding = marks[i].encoding;
            g->bom = true;
            data += marks[i].len;
            len -= marks[i].len;
            break;
        }
    struct strbuf text = STRBUF_INIT;
    int rc = 0;
    if (g->encoding == GRADEBOOK_BYTES)
        strbuf_add(&text, data, len);
    else if (convert("UTF-8", utf16_name(g->encoding), data, len, &text) != 0)
        rc = err_input(e, "%s: begins like UTF-16, but is damaged", path);
    if (rc == 0 && memchr(text.s, '\0', text.len))
        rc = err_input(
            e,
            "%s: holds a zero byte: not a CSV file (of UTF-16, the byte order mark at the "
            "beginning is needed)",
            path);
    g->len = text.len;
    g->text = strbuf_detach(&text);
    return rc;
}

/* A field's bytes as UTF-8. */
static char *as_utf8(const char *s, size_t len)
{
    struct strbuf out = STRBUF_INIT;
    char *bytes = xasprintf("%.*s", (int)len, s);
    if (json_is_text(bytes) || convert("UTF-8", "LATIN1", s, len, &out) != 0)
        return bytes;
    free(bytes);
    return strbuf_detach(&out);
}

/* --- fields ----------------------------------------------------------------------------------- */

/* Without quotes and the blanks around it. */
static char *value_of(const char *s, size_t len)
{
    FREED_BY(strbuf_free) struct strbuf plain = STRBUF_INIT;
    if (len && *s == '"') {
        for (size_t i = 1; i < len; i++) {
            if (s[i] == '"' && (i + 1 == len || s[i + 1] != '"'))
                continue;
            i += s[i] == '"';
            strbuf_add(&plain, s + i, 1);
        }
    } else {
        strbuf_add(&plain, s, len);
    }
    const size_t from = strspn(plain.s, " \t\r\n");
    size_t to = plain.len;
    while (to > from && strchr(" \t\r\n", plain.s[to - 1]))
        to--;
    return as_utf8(plain.s + from, to - from);
}

static struct gradebook_row *add_row(struct gradebook *g, size_t line)
{
    g->row = xrealloc_array(g->row, g->rows + 1, sizeof *g->row);
    g->row[g->rows] = (struct gradebook_row){.line = line};
    return &g->row[g->rows++];
}

static void add_field(const struct gradebook *g, struct gradebook_row *r, size_t at, size_t end)
{
    r->field = xrealloc_array(r->field, r->fields + 1, sizeof *r->field);
    r->field[r->fields++] =
        (struct gradebook_field){at, end - at, value_of(g->text + at, end - at), NULL, false};
}

/* The end of the field that begins at `i`; *line counts line ends in quotes. g->len + 1: a quote is
 * not closed.
 */
static size_t field_end(const struct gradebook *g, size_t i, size_t *line)
{
    const char *s = g->text;
    if (i < g->len && s[i] == '"') {
        for (i++; i < g->len && (s[i] != '"' || s[i + 1] == '"'); i++) {
            *line += s[i] == '\n' || (s[i] == '\r' && s[i + 1] != '\n');
            i += s[i] == '"';
        }
        if (i >= g->len)
            return g->len + 1;
    }
    while (i < g->len && s[i] != g->delimiter && s[i] != '\r' && s[i] != '\n')
        i++;
    return i;
}

/* From this place on, in the first line. */
static int split(struct gradebook *g, size_t from, const char *path, struct err *e)
{
    size_t line = 1;
    for (size_t i = from; i < g->len;) {
        if (g->text[i] == '\r' || g->text[i] == '\n') { /* an end of line, or a blank line */
            line += g->text[i] == '\n' || g->text[i + 1] != '\n';
            i++;
            continue;
        }
        struct gradebook_row *r = add_row(g, line);
        for (bool more = true; more;) {
            const size_t end = field_end(g, i, &line);
            if (end > g->len)
                return err_input(e, "%s:%zu: a quoted field is not closed", path, r->line);
            add_field(g, r, i, end);
            r->end = end;
            more = end < g->len && g->text[end] == g->delimiter;
            i = end + more;
        }
    }
    return g->rows ? 0 : err_input(e, "%s: the file is empty", path);
}

static void free_row(struct gradebook_row *r)
{
    for (size_t k = 0; k < r->fields; k++) {
        free(r->field[k].value);
        free(r->field[k].filled);
    }
    free(r->field);
}

static size_t written_fields(const struct gradebook_row *r)
{
    size_t n = 0;
    for (size_t k = 0; k < r->fields; k++)
        n += *r->field[k].value != '\0';
    return n;
}

/* Titles have one field. The header has several, and at least half as many as the rows behind it.
 * Without such a row, it is the first one. */
static void drop_titles(struct gradebook *g)
{
    size_t first = 0;
    while (first < g->rows && first < TITLES_MOST && written_fields(&g->row[first]) < 2)
        first++;
    if (first + 1 >= g->rows || first == TITLES_MOST)
        first = 0;
    for (size_t i = 0; i < first; i++)
        free_row(&g->row[i]);
    g->rows -= first;
    memmove(g->row, g->row + first, g->rows * sizeof *g->row);
}

/* For Excel, the first line may say what separates the fields: "sep=;", also in quotes. Returns the
 * length of that line, or 0. */
static size_t find_separator(const struct gradebook *g, char *delimiter)
{
    static const char word[] = "sep=";
    const char *s = g->text, *at = s + (*s == '"');
    if (strncmp(at, word, sizeof word - 1) != 0 || !at[sizeof word - 1])
        return 0;
    const char *end = at + sizeof word;
    end += *s == '"' && *end == '"';
    if (*end != '\r' && *end != '\n')
        return 0;
    *delimiter = at[sizeof word - 1];
    return (size_t)(end - s);
}

/* By the first lines: titles have none, or only some. */
static char most_frequent(const struct gradebook *g)
{
    char best = csv_delimiter(g->text, g->len);
    size_t most = 0, at = 0;
    for (int line = 0; line < TITLES_MOST && at < g->len; line++) {
        const size_t n = strcspn(g->text + at, "\r\n");
        const char one = csv_delimiter(g->text + at, n);
        size_t count = 0;
        bool quoted = false;
        for (size_t i = at; i < at + n; i++) {
            quoted ^= g->text[i] == '"';
            count += !quoted && g->text[i] == one;
        }
        if (count > most) {
            most = count;
            best = one;
        }
        at += n + strspn(g->text + at + n, "\r\n");
        if (count > 1) /* the header */
            break;
    }
    return best;
}

int gradebook_read(const char *path, struct gradebook *out, struct err *e)
{
    OWNED char *data = NULL;
    size_t len;
    *out = (struct gradebook){0};
    if (fs_read(path, FILE_MOST, &data, &len, e) != 0)
        return -1;
    int rc = decode(out, path, data, len, e);
    const size_t said = rc == 0 ? find_separator(out, &out->delimiter) : 0;
    if (rc == 0 && !said)
        out->delimiter = most_frequent(out);
    if (rc == 0)
        rc = split(out, said, path, e);
    if (rc == 0)
        drop_titles(out);
    if (rc != 0)
        gradebook_free(out);
    return rc;
}

void gradebook_free(struct gradebook *g)
{
    for (size_t i = 0; i < g->rows; i++)
        free_row(&g->row[i]);
    free(g->row);
    free(g->text);
    *g = (struct gradebook){0};
}

const char *gradebook_value(const struct gradebook *g, size_t row, size_t column)
{
    return column < g->row[row].fields ? g->row[row].field[column].value : "";
}

int gradebook_column(const struct gradebook *g, const char *heading)
{
    int begins = -1;
    for (size_t i = 0; i < g->row[0].fields; i++) {
        const char *name = g->row[0].field[i].value;
        if (strcasecmp(name, heading) == 0)
            return (int)i;
        if (strncasecmp(name, heading, strlen(heading)) == 0)
            begins = begins == -1 ? (int)i : -2;
    }
    return begins;
}

char *gradebook_headings(const struct gradebook *g)
{
    FREED_BY(strbuf_free) struct strbuf sb = STRBUF_INIT;
    for (size_t i = 0; i < g->row[0].fields && sb.len < 800; i++)
        strbuf_addf(&sb, "%s'%s'", sb.len ? ", " : "", g->row[0].field[i].value);
    json_auto_t *safe = json_printable(sb.s);
    return xstrdup(json_string_value(safe));
}

void gradebook_fill(struct gradebook *g, size_t row, size_t column, const char *value)
{
    struct gradebook_row *r = &g->row[row];
    while (r->fields <= column) { /* a spreadsheet left out the empty fields at the end */
        r->field = xrealloc_array(r->field, r->fields + 1, sizeof *r->field);
        r->field[r->fields++] = (struct gradebook_field){r->end, 0, xstrdup(""), xstrdup(""), true};
    }
    free(r->field[column].filled);
    r->field[column].filled = xstrdup(value);
}

/* --- writing ---------------------------------------------------------------------------------- */

static void write_field(const struct gradebook *g, const struct gradebook_field *f,
                        struct strbuf *out)
{
    const bool quoted = (f->len && g->text[f->at] == '"') || strchr(f->filled, g->delimiter) ||
                        f->filled[strcspn(f->filled, "\"\r\n")];
    strbuf_adds(out, quoted ? "\"" : "");
    for (const char *p = f->filled; *p; p++) {
        strbuf_adds(out, *p == '"' ? "\"" : "");
        strbuf_add(out, p, 1);
    }
    strbuf_adds(out, quoted ? "\"" : "");
}

/* The text with the filled fields in place of the old ones. */
static void merge(const struct gradebook *g, struct strbuf *out)
{
    size_t done = 0;
    for (size_t i = 0; i < g->rows; i++)
        for (size_t k = 0; k < g->row[i].fields; k++) {
            const struct gradebook_field *f = &g->row[i].field[k];
            if (!f->filled)
                continue;
            strbuf_add(out, g->text + done, f->at - done);
            if (f->added)
                strbuf_add(out, &g->delimiter, 1);
            write_field(g, f, out);
            done = f->at + f->len;
        }
    strbuf_add(out, g->text + done, g->len - done);
}

int gradebook_text(const struct gradebook *g, struct strbuf *out, struct err *e)
{
    FREED_BY(strbuf_free) struct strbuf text = STRBUF_INIT;
    size_t n;
    const char *bom = bom_of(g, &n);
    int rc = 0;
    merge(g, &text);
    strbuf_add(out, bom, n);
    if (g->encoding == GRADEBOOK_BYTES)
        strbuf_add(out, text.s, text.len);
    else if (convert(utf16_name(g->encoding), "UTF-8", text.s, text.len, out) != 0)
        rc = err_system(e, "the gradebook cannot be written as UTF-16");
    return rc;
}
