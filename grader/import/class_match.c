#include "import/class_match.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/names.h"
#include "base/strbuf.h"

/* --- names ------------------------------------------------------------------------------------ */

static int column_of(const struct gradebook *g, const char *const *headings)
{
    for (size_t i = 0; headings[i]; i++)
        for (size_t k = 0; k < g->row[0].fields; k++)
            if (strcasecmp(g->row[0].field[k].value, headings[i]) == 0)
                return (int)k;
    return -1;
}

static void find_columns(struct class_match *m)
{
    static const char *const whole[] = {
        "Student",    "Full name", "Student name", "Name", "Vollst\xc3\xa4ndiger Name",
        "Identifier", /* Moodle, graded anonymously: there is no other */
        NULL};
    static const char *const first[] = {"First name", "First_name", "FIRST_NAME_OF_STUDENT",
                                        "Given name", "Vorname",    NULL};
    static const char *const last[] = {"Last name",   "Surname",  "FAMILY_NAME_OF_STUDENT",
                                       "Family name", "Nachname", NULL};
    static const char *const mail[] = {"Email address", "Email", "E-mail", "E-Mail-Adresse", NULL};
    static const char *const modified[] = {"Last modified (submission)", NULL};
    m->name = column_of(m->book, whole);
    m->first = column_of(m->book, first);
    m->last = column_of(m->book, last);
    m->email = column_of(m->book, mail);
    m->modified = column_of(m->book, modified);
}

const char *class_match_cell(const struct class_match *m, size_t row, int column)
{
    return column < 0 ? "" : gradebook_value(m->book, row, (size_t)column);
}

char *class_match_name(const struct class_match *m, size_t row)
{
    if (m->first >= 0 && m->last >= 0) {
        const char *first = class_match_cell(m, row, m->first),
                   *last = class_match_cell(m, row, m->last);
        return xasprintf("%s%s%s", first, *first && *last ? " " : "", last);
    }
    const char *name = class_match_cell(m, row, m->name), *comma = strchr(name, ',');
    if (!comma)
        return xstrdup(name);
    const char *given = comma + 1 + strspn(comma + 1, " ");
    return xasprintf("%s%s%.*s", given, *given ? " " : "", (int)(comma - name), name);
}

/* Only letters and digits, in lower case. */
static char *plain(const char *name)
{
    struct strbuf sb = STRBUF_INIT;
    for (const char *p = name; *p; p++)
        if (isalnum((unsigned char)*p) || (unsigned char)*p >= 0x80)
            strbuf_add(&sb, (char[]){(char)tolower((unsigned char)*p)}, 1);
    return strbuf_detach(&sb);
}

char *class_match_turned(const struct class_match *m, size_t row)
{
    const bool two = m->first >= 0 && m->last >= 0;
    const char *name = class_match_cell(m, row, two ? m->last : m->name);
    const char *space = two || strchr(name, ',') ? NULL : strrchr(name, ' ');
    OWNED char *turned =
        space ? xasprintf("%s%.*s", space + 1, (int)(space - name), name)
              : xasprintf("%s%s", name, two ? class_match_cell(m, row, m->first) : "");
    return plain(turned);
}

/* --- by columns ------------------------------------------------------------------------------- */

/* What is known of every student: an id of each platform, the e-mail address. Then what somebody
 * has added to the roster, and last the name. */
enum { EMAIL = SCHEME_COUNT, ADDED };

static size_t known_column(const struct class_match *m, const char *heading)
{
    size_t k = 0;
    while (k < m->columns && strcasecmp(m->column[k], heading) != 0)
        k++;
    return k;
}

static void list_columns(struct class_match *m, const struct csv_table *roster)
{
    const size_t width = roster->count ? roster->row[0].count : 0;
    m->column = xcalloc(ADDED + width + 1, sizeof *m->column);
    for (int s = 0; s < SCHEME_COUNT; s++)
        m->column[m->columns++] = scheme_id_columns[s];
    m->column[m->columns++] = "email";
    for (size_t k = 0; k < width; k++) {
        const char *heading = roster->row[0].field[k];
        if (*heading && known_column(m, heading) == m->columns &&
            strcasecmp(heading, "submission") != 0 && strcasecmp(heading, "name") != 0 &&
            strcasecmp(heading, "late") != 0)
            m->column[m->columns++] = heading;
    }
    m->column[m->columns++] = "name";
}

/* What the download does not say of a student, the roster may. */
static void add_roster(struct class_match *m, const struct csv_table *roster)
{
    const int submission = csv_column(roster, "submission");
    FREED_BY(names_free) struct names students = NAMES_INIT;
    for (size_t i = 0; i < m->students; i++)
        names_add(&students, m->attempt[i]->id, i);
    for (size_t r = 1; r < roster->count && submission >= 0; r++) {
        const struct csv_row *row = &roster->row[r];
        const long long at = names_find(&students, row->field[submission]);
        for (size_t k = 0; k < row->count && at != NAMES_NONE; k++) {
            const size_t column = known_column(m, roster->row[0].field[k]);
            if (column < m->columns - 1 && !*m->field[(size_t)at * m->columns + column])
                m->field[(size_t)at * m->columns + column] = row->field[k];
        }
    }
}

static void list_known(struct class_match *m, const struct csv_table *roster)
{
    list_columns(m, roster);
    m->field = xcalloc(m->students * m->columns + 1, sizeof *m->field);
    for (size_t i = 0; i < m->students; i++) {
        const struct attempt *a = m->attempt[i];
        const char **field = m->field + i * m->columns;
        for (size_t k = 0; k < m->columns; k++)
            field[k] = "";
        field[a->source->naming.scheme] = a->platform_id;
        field[EMAIL] = a->email;
        field[m->columns - 1] = a->name;
    }
    add_roster(m, roster);
}

static int match_by_columns(struct class_match *m, const char *path, struct err *e)
{
    const struct known_students known = {m->column, m->columns, m->field, m->students};
    if (match_students(m->book, &known, -1, &m->found) == 0)
        return 0;
    const struct match_conflict *c = &m->found.conflict;
    return err_input(
        e, "%s:%zu: by '%s' this is %s, by '%s' it is %s", path, m->book->row[c->row].line,
        m->book->row[0].field[c->key[0].gradebook_column].value, m->attempt[c->student[0]]->id,
        m->book->row[0].field[c->key[1].gradebook_column].value, m->attempt[c->student[1]]->id);
}

const struct match_key *class_match_platform_key(const struct class_match *m)
{
    for (size_t i = 0; i < m->found.keys; i++)
        if (m->found.key[i].known_column < SCHEME_COUNT)
            return &m->found.key[i];
    return NULL;
}

static bool has_ids(const struct class_match *m, size_t column)
{
    enum { SHORT = 3 }; /* marks and groups */
    FREED_BY(names_free) struct names seen = NAMES_INIT;
    bool ids = true;
    for (size_t r = 1; r < m->book->rows && ids; r++) {
        OWNED char *name = class_match_name(m, r);
        const char *value = class_match_cell(m, r, (int)column);
        if (*name && class_match_is_student(m, r))
            ids = strlen(value) > SHORT && strpbrk(value, "0123456789") &&
                  names_add(&seen, value, r) == NAMES_NONE;
    }
    return ids;
}

static bool is_name(const struct class_match *m, const struct match_key *key)
{
    return (size_t)key->known_column == m->columns - 1;
}

/* Canvas adds a row with the maxima, and a student to each course that nobody is. */
static bool is_nobody(const struct class_match *m, size_t row)
{
    const char *name = class_match_cell(m, row, m->name);
    return strcmp(name, "Points Possible") == 0 || strcmp(name, "Student, Test") == 0;
}

bool class_match_is_student(const struct class_match *m, size_t row)
{
    size_t others = 0;
    if (is_nobody(m, row) && m->found.student_of_row[row] < 0)
        return false;
    for (size_t i = 0; i < m->found.keys; i++) {
        if (is_name(m, &m->found.key[i]))
            continue;
        if (*class_match_cell(m, row, m->found.key[i].gradebook_column))
            return true;
        others++;
    }
    return !others || m->found.student_of_row[row] >= 0;
}

/* Do an id or an address tell the row and the student apart? */
static bool told_apart(const struct class_match *m, size_t row, size_t student)
{
    for (size_t i = 0; i < m->found.keys; i++) {
        const struct match_key *key = &m->found.key[i];
        if (!is_name(m, key) && *class_match_cell(m, row, key->gradebook_column) &&
            *m->field[student * m->columns + (size_t)key->known_column])
            return true;
    }
    return false;
}

/* --- by names --------------------------------------------------------------------------------- */

/* Rows that nothing else has found, in a list for each name that a platform may write. */
struct named_rows {
    struct names names;
    char **name;
    size_t *row;
    long long *next; /* of the same name; NAMES_NONE: the last one */
    size_t count;
};

static void add_name(struct named_rows *n, char *name, size_t row)
{
    const size_t at = n->count++;
    n->name[at] = name;
    n->row[at] = row;
    const long long there = names_add(&n->names, name, at);
    n->next[at] = there == NAMES_NONE ? NAMES_NONE : n->next[there];
    if (there != NAMES_NONE)
        n->next[there] = (long long)at;
}

static struct named_rows list_names(const struct class_match *m)
{
    const size_t most = 2 * m->book->rows + 1;
    struct named_rows n = {NAMES_INIT, xcalloc(most, sizeof *n.name), xcalloc(most, sizeof *n.row),
                           xcalloc(most, sizeof *n.next), 0};
    for (size_t r = 1; r < m->book->rows; r++) {
        if (m->found.student_of_row[r] >= 0 || !class_match_is_student(m, r))
            continue;
        char *name = class_match_name(m, r), *text = plain(name),
             *turned = class_match_turned(m, r);
        if (strcmp(text, turned) != 0)
            add_name(&n, turned, r);
        else
            free(turned);
        add_name(&n, text, r);
        free(name);
    }
    return n;
}

static void free_names(struct named_rows *n)
{
    for (size_t i = 0; i < n->count; i++)
        free(n->name[i]);
    free(n->name);
    free(n->row);
    free(n->next);
    names_free(&n->names);
}

/* The first entry from `at` on whose row may be the student's; NAMES_NONE: there is none. */
static long long fitting(const struct class_match *m, const struct named_rows *n, long long at,
                         size_t student)
{
    while (at != NAMES_NONE && told_apart(m, n->row[at], student))
        at = n->next[at];
    return at;
}

/* Names in two columns are no key for match.h. Rows and students that nothing else has found are
 * found by the whole name, if it fits one row and one student only. */
static void match_by_names(struct class_match *m)
{
    OWNED bool *taken = xcalloc(m->students + 1, sizeof *taken);
    long long *first = xcalloc(m->students + 1, sizeof *first);
    OWNED size_t *claims = xcalloc(m->book->rows + 1, sizeof *claims); /* of students, on a row */
    struct named_rows n = list_names(m);
    for (size_t r = 1; r < m->book->rows; r++)
        if (m->found.student_of_row[r] >= 0)
            taken[m->found.student_of_row[r]] = true;
    for (size_t i = 0; i < m->students; i++) {
        OWNED char *text = plain(m->attempt[i]->name);
        first[i] = taken[i] || !*text ? NAMES_NONE : fitting(m, &n, names_find(&n.names, text), i);
        for (long long at = first[i]; at != NAMES_NONE; at = fitting(m, &n, n.next[at], i))
            claims[n.row[at]]++;
    }
    for (size_t i = 0; i < m->students; i++) {
        if (first[i] == NAMES_NONE)
            continue;
        const size_t row = n.row[first[i]];
        if (claims[row] == 1 && fitting(m, &n, n.next[first[i]], i) == NAMES_NONE) {
            m->found.student_of_row[row] = (long long)i;
            continue;
        }
        m->unclear_student[i] = true;
        for (long long at = first[i]; at != NAMES_NONE; at = fitting(m, &n, n.next[at], i))
            m->unclear_row[n.row[at]] = true;
    }
    free_names(&n);
    free(first);
}

/* --- both ------------------------------------------------------------------------------------- */

int class_match_open(const struct gradebook *book, const char *path,
                     const struct attempt *const *attempt, size_t students, struct class_match *m,
                     struct err *e)
{
    *m = (struct class_match){.book = book, .attempt = attempt, .students = students, .ids = -1};
    find_columns(m);
    if (m->name >= 0 || (m->first >= 0 && m->last >= 0))
        return 0;
    OWNED char *all = gradebook_headings(book);
    err_input(e,
              "%s:%zu: no column has the names of students: call it 'Name', or 'First name' and "
              "'Last name'; the columns are: %s",
              path, book->row[0].line, all);
    return -1;
}

int class_match_find(struct class_match *m, const char *path, const struct csv_table *roster,
                     struct err *e)
{
    m->unclear_row = xcalloc(m->book->rows + 1, sizeof *m->unclear_row);
    m->unclear_student = xcalloc(m->students + 1, sizeof *m->unclear_student);
    list_known(m, roster);
    if (match_by_columns(m, path, e) != 0)
        return -1;
    match_by_names(m);
    for (size_t k = m->book->row[0].fields; k--;)
        if (has_ids(m, k))
            m->ids = (int)k;
    return 0;
}

void class_match_free(struct class_match *m)
{
    free(m->unclear_row);
    free(m->unclear_student);
    free(m->column);
    free(m->field);
    match_free(&m->found);
    *m = (struct class_match){0};
}
