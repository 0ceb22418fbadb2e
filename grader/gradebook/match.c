#include "gradebook/match.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/names.h"
#include "base/strbuf.h"

/* E-mail addresses and user names are compared without regard to upper and lower case. Brightspace
 * writes # in front of ids, and spreadsheets take away the zeros there. */
static char *key_of(const char *value)
{
    value += *value == '#';
    const size_t zeros = strspn(value, "0"), digits = strspn(value, "0123456789");
    if (digits && !value[digits])
        value += zeros < digits ? zeros : digits - 1;
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

/* Moodle's ids are written with a word in front. */
static bool is_number_column(const char *heading)
{
    return strcmp(heading, "moodle_id") == 0;
}

/* Kinds of keys, the better ones first. Short numbers may be ids, but also marks and groups. */
enum kind { IDS, NUMBERS, WORDS, NAMES };
enum { SHORT = 3 };

/* What one key says. */
struct pair {
    struct match_key key;
    enum kind kind;
    int rank; /* the smaller the better */
    size_t found;
    long long *student_of_row; /* -1: none */
};

/* A word may be a user name or a family name. */
static enum kind kind_of_value(const char *value)
{
    if (!value[strcspn(value, "@0123456789")])
        return WORDS;
    return strlen(value) > SHORT ? IDS : NUMBERS; /* without zeros in front */
}

/* What most of its values are. */
static enum kind kind_of(const char *heading, const size_t *count)
{
    if (strcmp(heading, "name") == 0)
        return NAMES;
    const enum kind number = count[IDS] >= count[NUMBERS] ? IDS : NUMBERS;
    return count[IDS] + count[NUMBERS] >= count[WORDS] ? number : WORDS;
}

/* Compare one pair of columns. The caller frees out->student_of_row. */
static void compare(const struct gradebook *g, const struct known_students *k, struct match_key key,
                    const struct index *students, struct pair *out)
{
    const bool number = is_number_column(k->column[key.known_column]);
    struct index rows = new_index(g->rows);
    size_t count[NAMES + 1] = {0};
    *out = (struct pair){.key = key, .student_of_row = xcalloc(g->rows + 1, sizeof(long long))};
    for (size_t i = 0; i < g->rows; i++)
        out->student_of_row[i] = -1;
    for (size_t i = 1; i < g->rows; i++)
        add_key(&rows, cell(g, i, (size_t)key.gradebook_column, number), i);
    for (size_t i = 0; i < rows.count; i++) {
        const long long at = names_find(&students->names, rows.key[i]);
        if (rows.of[i] == TWICE || at == NAMES_NONE || students->of[at] == TWICE)
            continue;
        out->found++;
        count[kind_of_value(rows.key[i])]++;
        out->student_of_row[rows.of[i]] = students->of[at];
    }
    out->kind = kind_of(k->column[key.known_column], count);
    free_index(&rows);
}

/* Ids come first, and last what finds less than half as many as the best one: by chance. */
static void rank_pairs(struct pair *pair, size_t count)
{
    size_t most = 0;
    for (size_t i = 0; i < count; i++)
        most = pair[i].found > most ? pair[i].found : most;
    for (size_t i = 0; i < count; i++)
        pair[i].rank = pair[i].kind == IDS        ? 0
                       : 2 * pair[i].found < most ? 3
                       : pair[i].kind == NAMES    ? 2
                                                  : 1;
}

/* Of equally good pairs, the one whose column the run knows better comes first. */
static int by_quality(const void *a, const void *b)
{
    const struct pair *p = a, *q = b;
    if (p->rank != q->rank)
        return p->rank < q->rank ? -1 : 1;
    if (p->found != q->found)
        return p->found > q->found ? -1 : 1;
    if (p->kind != q->kind)
        return p->kind < q->kind ? -1 : 1;
    if (p->key.known_column != q->key.known_column)
        return p->key.known_column < q->key.known_column ? -1 : 1;
    return p->key.gradebook_column < q->key.gradebook_column ? -1 : 1;
}

/* All pairs that find a student, sorted. The caller frees them with free_pairs(). */
static struct pair *all_pairs(const struct gradebook *g, const struct known_students *k, int filled,
                              size_t *count)
{
    struct pair *pair = xcalloc(k->columns * g->row[0].fields + 1, sizeof *pair);
    *count = 0;
    for (size_t c = 0; c < k->columns; c++) {
        struct index students = new_index(k->students);
        for (size_t s = 0; s < k->students; s++)
            add_key(&students, k->field[s * k->columns + c], s);
        for (size_t column = 0; column < g->row[0].fields; column++) {
            struct pair *p = &pair[*count];
            if ((int)column == filled)
                continue;
            compare(g, k, (struct match_key){(int)column, (int)c}, &students, p);
            if (p->found)
                (*count)++;
            else
                free(p->student_of_row);
        }
        free_index(&students);
    }
    rank_pairs(pair, *count);
    qsort(pair, *count, sizeof *pair, by_quality);
    return pair;
}

static void free_pairs(struct pair *pair, size_t count)
{
    for (size_t i = 0; i < count; i++)
        free(pair[i].student_of_row);
    free(pair);
}

/* Is there a row which these two give to different students? */
static bool disagree(const struct pair *a, const struct pair *b, size_t rows,
                     struct match_conflict *c)
{
    for (size_t i = 1; i < rows; i++) {
        const long long x = a->student_of_row[i], y = b->student_of_row[i];
        if (x < 0 || y < 0 || x == y)
            continue;
        *c = (struct match_conflict){i, {a->key, b->key}, {(size_t)x, (size_t)y}};
        return true;
    }
    return false;
}

/* Equally good keys are of one kind, or the worse kind finds more; and neither finds less than half
 * of what the other does: a column of marks, too, has some values that are also ids. */
static int find_conflict(const struct pair *pair, size_t count, size_t rows,
                         struct match_conflict *c)
{
    for (size_t i = 1; i < count; i++)
        if (pair[i].kind <= pair[0].kind && 2 * pair[i].found >= pair[0].found &&
            disagree(&pair[0], &pair[i], rows, c))
            return -1;
    return 0;
}

/* May a later pair find more students? It contradicts no row, and if it is of words, half of what
 * is known already says that these words mean the student. */
static bool confirmed(const struct pair *p, const struct match *m, size_t rows)
{
    size_t same = 0, known = 0;
    for (size_t i = 1; i < rows; i++) {
        known += m->student_of_row[i] >= 0;
        if (m->student_of_row[i] < 0 || p->student_of_row[i] < 0)
            continue;
        if (m->student_of_row[i] != p->student_of_row[i])
            return false;
        same++;
    }
    return p->kind == IDS || 2 * same >= known;
}

/* Does a better key tell the row and the student apart? */
static bool told_apart(const struct gradebook *g, const struct known_students *k,
                       const struct match *m, size_t row, size_t student)
{
    for (size_t i = 0; i < m->keys; i++)
        if (*gradebook_value(g, row, (size_t)m->key[i].gradebook_column) &&
            *k->field[student * k->columns + (size_t)m->key[i].known_column])
            return true;
    return false;
}

static void take(const struct gradebook *g, const struct known_students *k, const struct pair *p,
                 bool *taken, struct match *m)
{
    size_t took = 0;
    for (size_t i = 1; i < g->rows; i++) {
        const long long s = p->student_of_row[i];
        if (s < 0 || m->student_of_row[i] >= 0 || taken[s] || told_apart(g, k, m, i, (size_t)s))
            continue;
        m->student_of_row[i] = s;
        m->key_of_row[i] = m->keys;
        taken[s] = true;
        took++;
    }
    if (took)
        m->key[m->keys++] = p->key;
}

int match_students(const struct gradebook *g, const struct known_students *k, int filled,
                   struct match *out)
{
    size_t count;
    struct pair *pair = all_pairs(g, k, filled, &count);
    OWNED bool *taken = xcalloc(k->students + 1, sizeof *taken);
    *out = (struct match){.key = xcalloc(count + 1, sizeof *out->key),
                          .student_of_row = xcalloc(g->rows + 1, sizeof *out->student_of_row),
                          .key_of_row = xcalloc(g->rows + 1, sizeof *out->key_of_row)};
    for (size_t i = 0; i < g->rows; i++)
        out->student_of_row[i] = -1;
    const int rc = find_conflict(pair, count, g->rows, &out->conflict);
    for (size_t i = 0; i < count && rc == 0; i++)
        if (i == 0 || confirmed(&pair[i], out, g->rows))
            take(g, k, &pair[i], taken, out);
    free_pairs(pair, count);
    return rc;
}

void match_free(struct match *m)
{
    free(m->key);
    free(m->student_of_row);
    free(m->key_of_row);
}
