#include "import/class_gradebook.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/json.h"
#include "base/names.h"
#include "base/strbuf.h"
#include "gradebook/gradebook.h"
#include "gradebook/match.h"

/* What is known of each student who handed in: an id of each platform, then these. */
enum { EMAIL = SCHEME_COUNT, NAME, KNOWN };

struct finding {
    const struct gradebook *book;
    const struct attempt *const *attempt;
    size_t students;
    struct match match;
    int name, first, last, email; /* columns; -1: there is none */
};

/* --- names ------------------------------------------------------------------------------------ */

static int column_of(const struct gradebook *g, const char *const *headings)
{
    for (size_t i = 0; headings[i]; i++)
        for (size_t k = 0; k < g->row[0].fields; k++)
            if (strcasecmp(g->row[0].field[k].value, headings[i]) == 0)
                return (int)k;
    return -1;
}

static void find_columns(struct finding *f)
{
    static const char *const whole[] = {
        "Student", "Full name", "Student name", "Name", "Vollst\xc3\xa4ndiger Name", NULL};
    static const char *const first[] = {"First name", "First_name", "FIRST_NAME_OF_STUDENT",
                                        "Given name", "Vorname",    NULL};
    static const char *const last[] = {"Last name",   "Surname",  "FAMILY_NAME_OF_STUDENT",
                                       "Family name", "Nachname", NULL};
    static const char *const mail[] = {"Email address", "Email", "E-mail", "E-Mail-Adresse", NULL};
    f->name = column_of(f->book, whole);
    f->first = column_of(f->book, first);
    f->last = column_of(f->book, last);
    f->email = column_of(f->book, mail);
}

static const char *cell(const struct finding *f, size_t row, int column)
{
    return column < 0 ? "" : gradebook_value(f->book, row, (size_t)column);
}

/* "Anna Jones", also of "Jones, Anna". */
static char *name_of(const struct finding *f, size_t row)
{
    if (f->first >= 0 && f->last >= 0) {
        const char *first = cell(f, row, f->first), *last = cell(f, row, f->last);
        return xasprintf("%s%s%s", first, *first && *last ? " " : "", last);
    }
    const char *name = cell(f, row, f->name), *comma = strchr(name, ',');
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

/* The same with the last word first, as Canvas writes names: "jonesanna". */
static char *plain_turned(const char *name)
{
    const char *space = strrchr(name, ' ');
    char *turned =
             space ? xasprintf("%s%.*s", space + 1, (int)(space - name), name) : xstrdup(name),
         *text = plain(turned);
    free(turned);
    return text;
}

/* --- who is who ------------------------------------------------------------------------------- */

static int match_by_columns(struct finding *f, const char *path, struct err *e)
{
    const char *column[KNOWN], **field = xcalloc(f->students * KNOWN + 1, sizeof *field);
    for (int s = 0; s < SCHEME_COUNT; s++)
        column[s] = scheme_id_columns[s];
    column[EMAIL] = "email";
    column[NAME] = "name";
    for (size_t i = 0; i < f->students; i++) {
        const struct attempt *a = f->attempt[i];
        for (int k = 0; k < KNOWN; k++)
            field[i * KNOWN + (size_t)k] = "";
        field[i * KNOWN + a->source->naming.scheme] = a->platform_id;
        field[i * KNOWN + EMAIL] = a->email;
        field[i * KNOWN + NAME] = a->name;
    }
    const struct known_students known = {column, KNOWN, field, f->students};
    int rc = match_students(f->book, &known, -1, &f->match);
    if (rc != 0) {
        const struct match_conflict *c = &f->match.conflict;
        rc = err_input(
            e, "%s:%zu: by '%s' this is %s, by '%s' it is %s", path, f->book->row[c->row].line,
            f->book->row[0].field[c->key[0].gradebook_column].value, f->attempt[c->student[0]]->id,
            f->book->row[0].field[c->key[1].gradebook_column].value, f->attempt[c->student[1]]->id);
    }
    free(field);
    return rc;
}

/* Is the row a student's? Canvas has rows with the maximum and other things, without an id. */
static bool is_student(const struct finding *f, size_t row, const char *name)
{
    const struct match *m = &f->match;
    return *name && (!m->keys || f->match.student_of_row[row] >= 0 ||
                     *cell(f, row, m->key[0].gradebook_column));
}

/* Does the best key, an id, tell the row from every student who has such an id? */
static bool told_apart(const struct finding *f, size_t row)
{
    const struct match *m = &f->match;
    return m->keys && m->key[0].known_column < NAME && *cell(f, row, m->key[0].gradebook_column);
}

/* Names in two columns are no key for match.h. Rows and students that nothing else has found may be
 * found by the whole name, if nobody else has it. */
static void match_by_names(struct finding *f)
{
    bool *taken = xcalloc(f->students + 1, sizeof *taken);
    for (size_t r = 1; r < f->book->rows; r++)
        if (f->match.student_of_row[r] >= 0)
            taken[f->match.student_of_row[r]] = true;
    struct names rows = NAMES_INIT;
    char **key = xcalloc(2 * f->book->rows + 1, sizeof *key);
    long long *row_of = xcalloc(2 * f->book->rows + 1, sizeof *row_of);
    size_t keys = 0;
    for (size_t r = 1; r < f->book->rows; r++) {
        char *name = name_of(f, r);
        for (int turned = 0; turned < 2 && is_student(f, r, name) && !told_apart(f, r); turned++) {
            char *text = turned ? plain_turned(name) : plain(name);
            const long long there = names_add(&rows, text, keys);
            if (there != NAMES_NONE && row_of[there] != (long long)r)
                row_of[there] = -1;
            key[keys] = text;
            row_of[keys++] = (long long)r;
        }
        free(name);
    }
    for (size_t i = 0; i < f->students; i++) {
        char *text = plain(f->attempt[i]->name);
        const long long at = names_find(&rows, text);
        if (!taken[i] && at != NAMES_NONE && row_of[at] > 0 &&
            f->match.student_of_row[row_of[at]] < 0)
            f->match.student_of_row[row_of[at]] = (long long)i;
        free(text);
    }
    names_free(&rows);
    for (size_t i = 0; i < keys; i++)
        free(key[i]);
    free(key);
    free(row_of);
    free(taken);
}

/* --- the class -------------------------------------------------------------------------------- */

static const char *digits_at_end(const char *value)
{
    const char *p = value + strlen(value);
    while (p > value && isdigit((unsigned char)p[-1]))
        p--;
    return *p ? p : value;
}

/* The platform's id, if it is by this that students were found. */
static const char *platform_id_of(const struct finding *f, size_t row)
{
    const struct match *m = &f->match;
    if (!m->keys || m->key[0].known_column >= SCHEME_COUNT)
        return "";
    const char *value = cell(f, row, m->key[0].gradebook_column);
    return m->key[0].known_column == SCHEME_MOODLE ? digits_at_end(value) : value;
}

/* As the import will call the submission of this student, where that is known. */
static char *id_of(const struct finding *f, const struct enrolled *x)
{
    const bool canvas = f->match.keys && f->match.key[0].known_column == SCHEME_CANVAS;
    char *turned = plain_turned(x->name);
    char *id = attempt_id(canvas ? turned : x->name, x->platform_id);
    free(turned);
    return id;
}

static char *as_text(const char *bytes)
{
    json_t *text = json_printable(bytes);
    char *copy = xstrdup(json_string_value(text));
    json_decref(text);
    return copy;
}

static void list_class(const struct finding *f, struct class_gradebook *out)
{
    struct names ids = NAMES_INIT;
    out->item = xcalloc(f->book->rows + 1, sizeof *out->item);
    for (size_t r = 1; r < f->book->rows; r++) {
        char *name = name_of(f, r);
        if (is_student(f, r, name)) {
            struct enrolled *x = &out->item[out->count];
            *x = (struct enrolled){.student = f->match.student_of_row[r],
                                   .name = as_text(name),
                                   .email = as_text(cell(f, r, f->email)),
                                   .platform_id = as_text(platform_id_of(f, r))};
            x->id = id_of(f, x);
            for (int n = 2; names_find(&ids, x->id) != NAMES_NONE; n++) {
                char *base = attempt_id(x->name, x->platform_id);
                free(x->id);
                x->id = xasprintf("%s-%d", base, n);
                free(base);
            }
            names_add(&ids, x->id, out->count++);
        }
        free(name);
    }
    names_free(&ids);
}

static int no_names(const struct gradebook *g, const char *path, struct err *e)
{
    char *all = gradebook_headings(g);
    err_input(e,
              "%s:%zu: no column has the names of students: call it 'Name', or 'First name' and "
              "'Last name'; the columns are: %s",
              path, g->row[0].line, all);
    free(all);
    return -1;
}

int class_gradebook_read(const char *path, const struct attempt *const *attempt, size_t students,
                         struct class_gradebook *out, struct err *e)
{
    struct gradebook book;
    *out = (struct class_gradebook){0};
    if (gradebook_read(path, &book, e) != 0)
        return -1;
    struct finding f = {.book = &book, .attempt = attempt, .students = students};
    find_columns(&f);
    int rc = f.name < 0 && (f.first < 0 || f.last < 0) ? no_names(&book, path, e)
                                                       : match_by_columns(&f, path, e);
    if (rc == 0) {
        match_by_names(&f);
        list_class(&f, out);
        bool any = false;
        for (size_t i = 0; i < out->count; i++)
            any = any || out->item[i].student >= 0;
        if (!any && students)
            rc = err_input(e,
                           "%s: has none of the %zu students, for example not %s: no column has "
                           "their ids or names as the platform writes them",
                           path, students, attempt[0]->id);
    }
    match_free(&f.match);
    gradebook_free(&book);
    return rc;
}

void class_gradebook_free(struct class_gradebook *c)
{
    for (size_t i = 0; i < c->count; i++) {
        free(c->item[i].name);
        free(c->item[i].email);
        free(c->item[i].platform_id);
        free(c->item[i].id);
    }
    free(c->item);
    *c = (struct class_gradebook){0};
}
