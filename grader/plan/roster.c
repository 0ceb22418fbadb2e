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

static int check_entry(struct names *seen, const char *name, const char *path, size_t line,
                       struct err *e)
{
    if (!*name)
        return err_input(e, "%s:%zu: the entry is empty; it must name a submission directory", path,
                         line);
    if (strchr(name, '/') || strcmp(name, ".") == 0 || strcmp(name, "..") == 0)
        return err_input(e, "%s:%zu: '%s' is not a directory name", path, line, name);
    if (names_add(seen, name, line) != NAMES_NONE)
        return err_input(e, "%s:%zu: '%s' is listed twice", path, line, name);
    return 0;
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
    out->directory = xcalloc(t->count, sizeof *out->directory);
    out->name = xcalloc(t->count, sizeof *out->name);
    int called = csv_column(t, "name");
    for (size_t i = 1; i < t->count; i++) {
        const struct csv_row *row = &t->row[i];
        char *name = trimmed(row->field[column]);
        char *person = trimmed(called >= 0 ? row->field[called] : "");
        if (check_text(name, path, row->line, e) != 0 ||
            check_text(person, path, row->line, e) != 0 ||
            check_entry(seen, name, path, row->line, e) != 0) {
            free(person);
            free(name);
            return -1;
        }
        out->name[out->count] = xstrdup(*person ? person : name);
        out->directory[out->count++] = name;
        free(person);
    }
    return out->count ? 0 : err_input(e, "%s: lists no students", path);
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
        free(r->directory[i]);
        free(r->name[i]);
    }
    free(r->directory);
    free(r->name);
    *r = (struct roster){0};
}
