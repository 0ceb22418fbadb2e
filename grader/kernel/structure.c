/* The names of structures. structure_rows.c has the families. */
#include "kernel/structure.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/parse.h"
#include "base/strbuf.h"
#include "kernel/structure_rows.h"

#define FILE_SUFFIX ".mtx"

static const struct structure_rows *rows_of(struct structure s)
{
    return &structure_rows[s.family];
}

char *structure_families(void)
{
    struct strbuf sb = STRBUF_INIT;
    for (int f = STRUCTURE_NONE + 1; f < STRUCTURE_FILE; f++)
        strbuf_addf(&sb, "%s%s%s", sb.len ? ", " : "", structure_rows[f].name,
                    structure_rows[f].has_parameter ? "-P" : "");
    return strbuf_detach(&sb);
}

static int no_structure(const char *text, size_t n, struct err *e)
{
    OWNED char *known = structure_families();
    err_input(e,
              "'%.*s' is not a structure; there are: %s (P is a number, 1 or more), and Matrix "
              "Market files: matrices/a" FILE_SUFFIX,
              n < 40 ? (int)n : 40, text, known);
    return -1;
}

static bool is_file(const char *text, size_t n)
{
    const size_t suffix = strlen(FILE_SUFFIX);
    return n >= suffix && strncmp(text + n - suffix, FILE_SUFFIX, suffix) == 0;
}

/* Does a path consist of names that neither lead upward nor mean anything to a program? */
static bool is_plain(const char *path)
{
    static const char first[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
    while (*path && strchr(first, *path)) {
        path += strspn(path, first);
        while (*path && strchr(".+-", *path))
            path += 1 + strspn(path + 1, first);
        if (*path != '/')
            break;
        path++;
    }
    return *path == '\0';
}

static int parse_file(const char *text, size_t n, struct structure *s, struct err *e)
{
    *s = (struct structure){.family = STRUCTURE_FILE};
    if (n >= sizeof s->file)
        return err_input(e, "'%.40s...': the path of a matrix has at most %zu characters", text,
                         sizeof s->file - 1);
    memcpy(s->file, text, n);
    if (is_plain(s->file))
        return 0;
    return err_input(e,
                     "'%s' cannot be the path of a matrix: the file must lie in the directory of "
                     "the assignment or below, and names consist of letters, digits, '_', '.', "
                     "'+' and '-', with a letter, a digit or '_' at the beginning",
                     s->file);
}

int structure_parse(const char *text, size_t n, struct structure *s, struct err *e)
{
    if (is_file(text, n))
        return parse_file(text, n, s, e);
    for (int f = STRUCTURE_NONE + 1; f < STRUCTURE_FILE; f++) {
        const struct structure_rows *r = &structure_rows[f];
        const size_t name = strlen(r->name);
        long long parameter = 0;
        if (n < name || strncmp(text, r->name, name) != 0)
            continue;
        if (r->has_parameter && n > name && text[name] == '-') {
            OWNED char *number = xasprintf("%.*s", (int)(n - name - 1), text + name + 1);
            if (parse_int(number, 1, INT_MAX, &parameter, NULL) != 0)
                parameter = 0;
        }
        if (r->has_parameter ? parameter == 0 : n != name)
            continue;
        *s = (struct structure){.family = (enum structure_family)f, .parameter = (int)parameter};
        return 0;
    }
    return no_structure(text, n, e);
}

void structure_format(struct structure s, char out[STRUCTURE_TEXT])
{
    if (s.family == STRUCTURE_FILE)
        memcpy(out, s.file, sizeof s.file);
    else if (rows_of(s)->has_parameter)
        snprintf(out, STRUCTURE_TEXT, "%s-%d", rows_of(s)->name, s.parameter);
    else
        snprintf(out, STRUCTURE_TEXT, "%s", rows_of(s)->name);
}

bool structure_equal(struct structure a, struct structure b)
{
    return a.family == b.family && a.parameter == b.parameter && strcmp(a.file, b.file) == 0;
}

bool structure_is_square(struct structure s)
{
    return rows_of(s)->square;
}

int structure_dims(struct structure s)
{
    return s.family == STRUCTURE_FILE ? 0 : structure_is_square(s) ? 1 : 2;
}

bool structure_rotates_rows(struct structure s)
{
    return !rows_of(s)->fixed_rows;
}

int structure_row_entries(const struct structure_matrix *m, int row)
{
    return rows_of(m->structure)->entries(m, row);
}

void structure_row(const struct structure_matrix *m, int row, int n, int *col)
{
    rows_of(m->structure)->columns(m, row, n, col);
}

struct structure_counts structure_count(const struct structure_matrix *m)
{
    int (*const entries)(const struct structure_matrix *, int) = rows_of(m->structure)->entries;
    struct structure_counts c = {0};
    double squares = 0;
    for (int i = 0; i < m->rows; i++) {
        const int n = entries(m, i);
        c.entries += n;
        c.widest = n > c.widest ? n : c.widest;
        squares += (double)n * n;
    }
    const double mean = (double)c.entries / m->rows;
    c.variance = squares / m->rows - mean * mean;
    if (c.variance < 0) /* by rounding */
        c.variance = 0;
    return c;
}
