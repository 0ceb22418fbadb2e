#include "export/match.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/names.h"
#include "base/strbuf.h"

/* E-mail addresses and user names are compared without regard to upper and lower case. */
static char *key_of(const char *value)
{
    char *key = xstrdup(value);
    for (char *p = key; *p; p++)
        *p = (char)tolower((unsigned char)*p);
    return key;
}

/* "Participant 1234567", in any language, is the number alone. */
static const char *number_at_end(const char *value)
{
    const char *end = value + strlen(value), *p = end;
    while (p > value && isdigit((unsigned char)p[-1]))
        p--;
    return p < end && p > value ? p : value;
}

enum { TWICE = -2 };

struct index {
    struct names names;
    char **key;
    long long *of; /* what each key belongs to; TWICE: to several */
    size_t count;
};

/* For at most so many keys. */
static struct index new_index(size_t most)
{
    return (struct index){.names = NAMES_INIT,
                          .key = xcalloc(most + 1, sizeof(char *)),
                          .of = xcalloc(most + 1, sizeof(long long))};
}

static void add_key(struct index *x, const char *value, size_t belongs)
{
    if (!*value)
        return;
    char *key = key_of(value);
    const long long there = names_find(&x->names, key);
    if (there != NAMES_NONE) {
        x->of[there] = TWICE;
        free(key);
        return;
    }
    names_add(&x->names, key, x->count);
    x->key[x->count] = key;
    x->of[x->count++] = (long long)belongs;
}

static void free_index(struct index *x)
{
    for (size_t i = 0; i < x->count; i++)
        free(x->key[i]);
    free(x->key);
    free(x->of);
    names_free(&x->names);
}

static const char *cell(const struct gradebook *g, size_t row, size_t column, bool number)
{
    const char *value = gradebook_value(g, row, column);
    return number ? number_at_end(value) : value;
}

/* Compare one pair of columns. student_of_row may be NULL. Returns how many students are found. */
static size_t compare(const struct gradebook *g, size_t column, const struct index *students,
                      bool number, long long *student_of_row)
{
    struct index rows = new_index(g->rows);
    size_t found = 0;
    for (size_t i = 1; i < g->rows; i++)
        add_key(&rows, cell(g, i, column, number), i);
    for (size_t k = 0; k < rows.count; k++) {
        const long long at = names_find(&students->names, rows.key[k]);
        if (rows.of[k] == TWICE || at == NAMES_NONE || students->of[at] == TWICE)
            continue;
        found++;
        if (student_of_row)
            student_of_row[rows.of[k]] = students->of[at];
    }
    free_index(&rows);
    return found;
}

/* Moodle's ids are written with a word in front. */
static bool is_number_column(const char *heading)
{
    return strcmp(heading, "moodle_id") == 0;
}

void match_students(const struct gradebook *g, const struct known_students *k, struct match *out)
{
    *out = (struct match){.gradebook_column = -1, .known_column = -1};
    out->student_of_row = xcalloc(g->rows + 1, sizeof *out->student_of_row);
    for (size_t i = 0; i < g->rows; i++)
        out->student_of_row[i] = -1;
    for (size_t c = 0; c < k->columns; c++) {
        struct index students = new_index(k->students);
        const bool number = is_number_column(k->column[c]);
        for (size_t s = 0; s < k->students; s++)
            add_key(&students, k->field[s * k->columns + c], s);
        for (size_t column = 0; column < g->row[0].fields; column++) {
            const size_t found = compare(g, column, &students, number, NULL);
            if (found <= out->found)
                continue;
            out->found = found;
            out->gradebook_column = (int)column;
            out->known_column = (int)c;
            for (size_t i = 0; i < g->rows; i++)
                out->student_of_row[i] = -1;
            compare(g, column, &students, number, out->student_of_row);
        }
        free_index(&students);
    }
}
