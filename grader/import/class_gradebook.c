#include "import/class_gradebook.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/csv.h"
#include "base/fsio.h"
#include "base/json.h"
#include "base/names.h"
#include "base/strbuf.h"
#include "gradebook/gradebook.h"
#include "import/class_match.h"
#include "import/modified_time.h"

static const char *digits_at_end(const char *value)
{
    const char *p = value + strlen(value);
    while (p > value && isdigit((unsigned char)p[-1]))
        p--;
    return *p ? p : value;
}

/* The platform's id, if it is by this that students were found. */
static const char *platform_id_of(const struct class_match *m, size_t row)
{
    const struct match_key *key = class_match_platform_key(m);
    const char *value = key ? class_match_cell(m, row, key->gradebook_column) : "";
    return key && key->known_column == SCHEME_MOODLE ? digits_at_end(value) : value;
}

/* As the import will call the submission of this student, where that is known. */
static char *id_of(const struct class_match *m, size_t row, const struct enrolled *x)
{
    const struct match_key *key = class_match_platform_key(m);
    if (key && !scheme_has_names((enum scheme)key->known_column))
        return attempt_id("", x->platform_id);
    OWNED char *turned = class_match_turned(m, row);
    return attempt_id(key && key->known_column == SCHEME_CANVAS ? turned : x->name, x->platform_id);
}

static char *as_text(const char *bytes)
{
    json_auto_t *text = json_printable(bytes);
    return xstrdup(json_string_value(text));
}

static void take_time(const struct class_match *m, size_t row, struct enrolled *x,
                      struct class_gradebook *out)
{
    const char *text = class_match_cell(m, row, m->modified);
    x->timed = modified_time_parse(text, &x->submitted);
    if (!x->timed && !modified_time_is_none(text) && !out->not_a_time)
        out->not_a_time = xstrdup(text);
}

/* Each student of the gradebook once, under a name that nobody else has. */
static void add_enrolled(const struct class_match *m, size_t row, const char *name,
                         struct names *ids, struct class_gradebook *out)
{
    struct enrolled *x = &out->item[out->count];
    *x = (struct enrolled){.student = m->found.student_of_row[row],
                           .unclear = m->unclear_row[row],
                           .name = as_text(name),
                           .email = as_text(class_match_cell(m, row, m->email)),
                           .platform_id = as_text(platform_id_of(m, row)),
                           .key = as_text(class_match_cell(m, row, m->ids))};
    take_time(m, row, x, out);
    x->id = id_of(m, row, x);
    for (int n = 2; names_find(ids, x->id) != NAMES_NONE; n++) {
        OWNED char *base = attempt_id(x->name, x->platform_id);
        free(x->id);
        x->id = xasprintf("%s-%d", base, n);
    }
    names_add(ids, x->id, out->count++);
}

static void list_class(const struct class_match *m, struct class_gradebook *out)
{
    FREED_BY(names_free) struct names ids = NAMES_INIT;
    if (!class_match_platform_key(m) && m->email < 0 && m->ids >= 0)
        out->key = as_text(m->book->row[0].field[m->ids].value);
    out->item = xcalloc(m->book->rows + 1, sizeof *out->item);
    out->unclear = xcalloc(m->students + 1, sizeof *out->unclear);
    for (size_t i = 0; i < m->students; i++)
        out->unclear[i] = m->unclear_student[i];
    for (size_t r = 1; r < m->book->rows; r++) {
        OWNED char *name = class_match_name(m, r);
        if (*name && class_match_is_student(m, r))
            add_enrolled(m, r, name, &ids, out);
    }
}

/* Is anybody who handed in there? Otherwise, it is the gradebook of another course. */
static bool is_known(const struct class_gradebook *c)
{
    for (size_t i = 0; i < c->count; i++)
        if (c->item[i].student >= 0 || c->item[i].unclear)
            return true;
    return false;
}

int class_gradebook_read(const struct class_gradebook_request *q, struct class_gradebook *out,
                         struct err *e)
{
    FREED_BY(gradebook_free) struct gradebook book = {0};
    FREED_BY(csv_table_free) struct csv_table roster = {0};
    FREED_BY(class_match_free) struct class_match m = {0};
    *out = (struct class_gradebook){0};
    if (gradebook_read(q->path, &book, e) != 0)
        return -1;
    int rc = class_match_open(&book, q->path, q->attempt, q->students, &m, e);
    if (rc == 0 && fs_exists(q->roster))
        rc = csv_read(q->roster, &roster, e);
    if (rc == 0)
        rc = class_match_find(&m, q->path, &roster, e);
    if (rc == 0)
        list_class(&m, out);
    if (rc == 0 && q->students && !is_known(out))
        rc = err_input(e,
                       "%s: has none of the %zu students, for example not %s: no column has "
                       "their ids or names as the platform writes them",
                       q->path, q->students, q->attempt[0]->id);
    return rc;
}

void class_gradebook_free(struct class_gradebook *c)
{
    for (size_t i = 0; i < c->count; i++) {
        free(c->item[i].name);
        free(c->item[i].email);
        free(c->item[i].platform_id);
        free(c->item[i].key);
        free(c->item[i].id);
    }
    free(c->item);
    free(c->unclear);
    free(c->not_a_time);
    free(c->key);
    *c = (struct class_gradebook){0};
}
