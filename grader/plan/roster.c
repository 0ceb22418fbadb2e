#include "plan/roster.h"

#include <stdlib.h>
#include <string.h>

#include "base/csv.h"
#include "base/json.h"
#include "base/names.h"
#include "base/strbuf.h"

static int directory_column(const struct csv_table *t)
{
    static const char *const names[] = {"submission", "id", "name"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        int c = csv_column(t, names[i]);
        if (c >= 0)
            return c;
    }
    return -1;
}

/* Else reports would show other characters, and no directory could have the name. */
static int check_text(const char *text, const char *path, size_t line, struct err *e)
{
    if (json_is_text(text))
        return 0;
    return err_input(e,
                     "%s:%zu: not UTF-8 text; save the file as UTF-8 (from Latin-1: iconv -f "
                     "latin1 -t utf-8 FILE)",
                     path, line);
}

/* An entry without the blanks around it, which come from the spreadsheet. */
static char *trimmed(const char *s)
{
    s += strspn(s, " \t\r\n");
    size_t n = strlen(s);
    while (n && strchr(" \t\r\n", s[n - 1]))
        n--;
    return xasprintf("%.*s", (int)n, s);
}

static int check_texts(const struct csv_row *row, const char *path, struct err *e)
{
    for (size_t k = 0; k < row->count; k++)
        if (check_text(row->field[k], path, row->line, e) != 0)
            return -1;
    return 0;
}

static int check_entry(struct names *seen, const char *name, const char *path, size_t line,
                       struct err *e)
{
    if (!*name)
        return err_input(e, "%s:%zu: the entry is empty; it must name a submission directory", path,
                         line);
    if (strchr(name, '/') || strcmp(name, ".") == 0 || strcmp(name, "..") == 0)
        return err_input(e, "%s:%zu: '%s' is not a directory name", path, line, name);
    const long long first = names_add(seen, name, line);
    if (first != NAMES_NONE)
        return err_input(e,
                         "%s:%zu: '%s' is listed twice, first on line %lld; each student needs a "
                         "directory, and a column 'submission' with its name",
                         path, line, name, first);
    return 0;
}

/* The columns that are repeated: all with a heading but `called`, which becomes the student's name.
 */
static size_t *other_columns(const struct csv_row *header, int called, struct roster *out)
{
    size_t *index = xcalloc(header->count, sizeof *index);
    out->column = xcalloc(header->count, sizeof *out->column);
    for (size_t k = 0; k < header->count; k++) {
        char *heading = trimmed(header->field[k]);
        if ((int)k == called || !*heading) {
            free(heading);
            continue;
        }
        index[out->columns] = k;
        out->column[out->columns++] = heading;
    }
    return index;
}

/* Takes the two strings. */
static void add_student(const struct csv_row *row, const size_t *index, char *directory,
                        char *person, struct roster *out)
{
    struct student *s = &out->student[out->count++];
    if (!*person) {
        free(person);
        person = xstrdup(directory);
    }
    *s = (struct student){directory, person, xcalloc(out->columns + 1, sizeof *s->field)};
    for (size_t k = 0; k < out->columns; k++)
        s->field[k] = xstrdup(row->field[index[k]]);
}

static int read_entries(const struct csv_table *t, const char *path, struct names *seen,
                        struct roster *out, struct err *e)
{
    int column = t->count ? directory_column(t) : -1;
    if (column < 0)
        return err_input(e,
                         "%s: the first line must name the columns, and one of them must be "
                         "'submission', 'id' or 'name' (the submission directories)",
                         path);
    int called = csv_column(t, "name");
    int rc = check_texts(&t->row[0], path, e);
    OWNED size_t *index = other_columns(&t->row[0], called, out);
    out->student = xcalloc(t->count, sizeof *out->student);
    for (size_t i = 1; i < t->count && rc == 0; i++) {
        const struct csv_row *row = &t->row[i];
        char *directory = trimmed(row->field[column]);
        char *person = trimmed(called >= 0 ? row->field[called] : "");
        if (check_texts(row, path, e) != 0 ||
            check_entry(seen, directory, path, row->line, e) != 0) {
            rc = -1;
            free(person);
            free(directory);
        } else {
            add_student(row, index, directory, person, out);
        }
    }
    return rc != 0 || out->count ? rc : err_input(e, "%s: lists no students", path);
}

int roster_load(const char *path, struct roster *out, struct err *e)
{
    struct csv_table t = {0};
    *out = (struct roster){0};
    if (csv_read(path, &t, e) != 0)
        return -1;
    struct names seen = NAMES_INIT;
    int rc = read_entries(&t, path, &seen, out, e);
    names_free(&seen);
    csv_table_free(&t);
    if (rc != 0)
        roster_free(out);
    return rc;
}

void roster_free(struct roster *r)
{
    for (size_t i = 0; i < r->count; i++) {
        free(r->student[i].directory);
        free(r->student[i].name);
        texts_free(r->student[i].field, (unsigned)r->columns);
    }
    free(r->student);
    texts_free(r->column, (unsigned)r->columns);
    *r = (struct roster){0};
}
