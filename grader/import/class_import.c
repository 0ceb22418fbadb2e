#include "import/class_import.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/csv.h"
#include "base/fsio.h"
#include "base/identifier.h"
#include "base/instant.h"
#include "base/json.h"
#include "base/names.h"
#include "import/attempt.h"
#include "import/class_gradebook.h"
#include "import/class_list.h"
#include "import/import_lock.h"
#include "import/place.h"

/* What a class may unpack to. */
enum { GIBIBYTES_MOST = 8, FILE_MEBIBYTES_MOST = 512 };

struct importing {
    const struct import_request *q;
    char *scratch;
    struct source *source;
    struct attempts attempts;
    size_t *counts; /* of the attempts, the one of each student that counts */
    bool *stays;    /* of each student: what an earlier import has stays */
    struct class_gradebook class;
    struct import_outcome *out;
    struct err *e;
};

/* --- reading ---------------------------------------------------------------------------------- */

/* If all user names begin alike, that looks like a part of the prefix. */
static void note_prefix(struct importing *m, const struct source *s)
{
    if (s->naming.prefix && !m->q->prefix)
        strbuf_addf(&m->out->prefixes,
                    "%s: user names begin after '%s'; if that is wrong, give --prefix\n", s->shown,
                    s->naming.prefix);
}

static int read_sources(struct importing *m)
{
    struct unpack_limits left = {(uint64_t)GIBIBYTES_MOST << 30,
                                 (uint64_t)FILE_MEBIBYTES_MOST << 20, SOURCE_FILES_MOST};
    int rc = 0;
    for (size_t i = 0; i < m->q->count && rc == 0; i++) {
        OWNED char *scratch = xasprintf("%s/source-%zu", m->scratch, i);
        const struct source_request from = {m->q->wanted, m->q->prefix, scratch, &left};
        const struct attempt_request read = {m->q->deadline, m->scratch};
        rc = source_open(m->q->sources[i], &from, &m->source[i], &m->out->remarks, m->e);
        if (rc == 0)
            note_prefix(m, &m->source[i]);
        if (rc == 0)
            rc = attempts_read(&m->source[i], i, &read, &m->attempts, &m->out->remarks, m->e);
    }
    attempts_sort(&m->attempts, m->q->deadline);
    return rc;
}

static void choose(struct importing *m)
{
    const struct attempt *a = m->attempts.item;
    m->out->attempts = m->attempts.count;
    m->counts = xcalloc(m->attempts.count + 1, sizeof *m->counts);
    m->stays = xcalloc(m->attempts.count + 1, sizeof *m->stays);
    for (size_t i = 0; i < m->attempts.count; i++)
        if (i == 0 || strcmp(a[i].id, a[i - 1].id) != 0)
            m->counts[m->out->students++] = i;
}

static const struct attempt *counting(const struct importing *m, size_t student)
{
    return &m->attempts.item[m->counts[student]];
}

static bool is_too_late(const struct importing *m, size_t student)
{
    return attempt_too_late(counting(m, student), m->q->deadline);
}

/* --- writing ---------------------------------------------------------------------------------- */

/* Before anything changes. */
static int check_owners(const struct importing *m, const struct place *p)
{
    for (size_t i = 0; i < m->out->students; i++)
        if (place_owner(p, counting(m, i)->id) < 0)
            return err_input(m->e,
                             "%s/%s exists, and no import made it; remove it, or import into "
                             "another directory",
                             m->q->to, counting(m, i)->id);
    return 0;
}

/* This download has no attempt in time. An earlier one may have had one. */
static int leave_out(struct importing *m, size_t student, const struct place *p)
{
    const char *id = counting(m, student)->id;
    m->stays[student] = place_in_time(p, id, *m->q->deadline);
    if (m->stays[student]) {
        strbuf_addf(&m->out->stay, "%s\n", id);
        m->out->stay_count++;
        return 0;
    }
    strbuf_addf(&m->out->too_late, "%s\n", id);
    m->out->too_late_count++;
    return place_remove(p, id, m->e);
}

static int write_directories(struct importing *m)
{
    const struct place p = {m->q->to, m->scratch};
    int rc = check_owners(m, &p);
    for (size_t i = 0; i < m->out->students && rc == 0; i++) {
        const struct attempt *a = counting(m, i);
        if (is_too_late(m, i)) {
            rc = leave_out(m, i, &p);
        } else {
            m->out->untimed += !a->timed;
            rc = place_attempt(&p, a, &m->out->remarks, m->e);
        }
    }
    return rc;
}

/* The name as text in UTF-8: archives from Windows may have other bytes. The caller frees it. */
static char *person(const struct attempt *a)
{
    json_auto_t *text = json_printable(*a->name ? a->name : a->platform_id);
    return xstrdup(json_string_value(text));
}

static enum scheme scheme_of(const struct attempt *a)
{
    return a->source->naming.scheme;
}

/* The gradebook says when the attempt that counts was handed in. If that was too late, an earlier
 * download may have one that was not. */
static void take_time(struct importing *m, size_t student, int64_t submitted)
{
    const size_t i = m->counts[student];
    struct attempt *a = &m->attempts.item[i];
    if (a->timed)
        return;
    a->timed = true;
    a->submitted = submitted;
    if (is_too_late(m, student) && i + 1 < m->attempts.count && strcmp(a[1].id, a->id) == 0)
        m->counts[student]++;
}

static void take_times(struct importing *m)
{
    for (size_t i = 0; i < m->class.count; i++)
        if (m->class.item[i].student >= 0 && m->class.item[i].timed)
            take_time(m, (size_t)m->class.item[i].student, m->class.item[i].submitted);
    if (m->class.not_a_time)
        remark(&m->out->remarks,
               "%s: '%s' is no time in English: write it into submitted.csv, or export the "
               "worksheet in English",
               m->q->gradebook, m->class.not_a_time);
}

/* Who is in the class, before anything changes. */
static int read_class(struct importing *m)
{
    if (!m->q->gradebook)
        return 0;
    const size_t students = m->out->students;
    const struct attempt **a = xcalloc(students + 1, sizeof *a);
    OWNED bool *listed = xcalloc(students + 1, sizeof *listed);
    for (size_t i = 0; i < students; i++)
        a[i] = counting(m, i);
    OWNED char *roster = xasprintf("%s/roster.csv", m->q->to);
    const struct class_gradebook_request q = {m->q->gradebook, roster, a, students};
    const int rc = class_gradebook_read(&q, &m->class, m->e);
    m->out->enrolled = m->class.count;
    for (size_t i = 0; i < m->class.count; i++) {
        const long long student = m->class.item[i].student;
        m->out->absent += student < 0 && !m->class.item[i].unclear;
        m->out->left_out += m->class.item[i].unclear;
        if (student >= 0)
            listed[student] = true;
    }
    for (size_t i = 0; i < students && rc == 0; i++)
        if (!listed[i]) {
            const bool unclear = m->class.unclear[i];
            strbuf_addf(unclear ? &m->out->unclear : &m->out->unlisted, "%s\n", a[i]->id);
            *(unclear ? &m->out->unclear_count : &m->out->unlisted_count) += 1;
        }
    if (rc == 0)
        take_times(m);
    free(a);
    return rc;
}

static bool is_student(const struct importing *m, const char *id)
{
    for (size_t i = 0; i < m->out->students; i++)
        if (strcmp(counting(m, i)->id, id) == 0)
            return true;
    return false;
}

/* What the roster calls somebody who has no row by the attempt's name: by the platform's id, or as
 * the gradebook knew somebody who was absent. NULL: nothing. */
static const char *listed_name(const struct importing *m, const struct csv_table *roster,
                               const struct names *listed, size_t student)
{
    const struct attempt *a = counting(m, student);
    const int submission = csv_column(roster, "submission"),
              id = csv_column(roster, scheme_id_columns[scheme_of(a)]);
    for (size_t r = 1; r < roster->count && id >= 0; r++)
        if (strcmp(roster->row[r].field[id], a->platform_id) == 0)
            return roster->row[r].field[submission];
    for (size_t i = 0; i < m->class.count; i++)
        if (m->class.item[i].student == (long long)student &&
            names_find(listed, m->class.item[i].id) != NAMES_NONE)
            return m->class.item[i].id;
    return NULL;
}

/* A student keeps the name of an earlier import: runs may have been graded under it. */
static int keep_names(struct importing *m)
{
    FREED_BY(csv_table_free) struct csv_table roster = {0};
    FREED_BY(names_free) struct names listed = NAMES_INIT;
    OWNED char *path = xasprintf("%s/roster.csv", m->q->to);
    if (!fs_exists(path))
        return 0;
    if (csv_read(path, &roster, m->e) != 0)
        return -1;
    const int submission = csv_column(&roster, "submission");
    for (size_t r = 1; r < roster.count && submission >= 0; r++)
        names_add(&listed, roster.row[r].field[submission], r);
    for (size_t i = 0; i < m->out->students && submission >= 0; i++) {
        struct attempt *a = &m->attempts.item[m->counts[i]];
        if (names_find(&listed, a->id) != NAMES_NONE)
            continue;
        const char *name = listed_name(m, &roster, &listed, i);
        if (!name || !identifier_ok(name) || is_student(m, name))
            continue;
        free(a->id);
        a->id = xstrdup(name);
    }
    return 0;
}

/* --- the roster ------------------------------------------------------------------------------- */

struct roster_rows {
    const struct importing *m;
    struct class_update u;
    struct class_row *row;
    size_t id[SCHEME_COUNT]; /* columns of the platforms' ids */
    char **name;             /* of each student, as the platform writes it */
};

/* Beside `submission`: name, an id of each platform that occurs, one of the gradebook if needed,
 * e-mail address, late. */
static void roster_columns(struct roster_rows *r)
{
    bool occurs[SCHEME_COUNT] = {false};
    for (size_t i = 0; i < r->m->out->students; i++)
        occurs[scheme_of(counting(r->m, i))] = true;
    r->u.column[r->u.columns++] = "name";
    for (int s = 0; s < SCHEME_COUNT; s++)
        if (occurs[s]) {
            r->id[s] = r->u.columns;
            r->u.column[r->u.columns++] = scheme_id_columns[s];
        }
    if (r->m->class.key)
        r->u.column[r->u.columns++] = r->m->class.key;
    r->u.column[r->u.columns++] = "email";
    r->u.column[r->u.columns++] = "late";
}

static struct class_row *new_row(struct roster_rows *r, const char *submission)
{
    struct class_row *row = &r->row[r->u.rows++];
    *row = (struct class_row){.submission = submission};
    for (size_t k = 0; k < r->u.columns; k++)
        row->field[k] = "";
    return row;
}

static void add_students(struct roster_rows *r)
{
    for (size_t i = 0; i < r->m->out->students; i++) {
        const struct attempt *a = counting(r->m, i);
        struct class_row *row = new_row(r, a->id);
        row->field[0] = r->name[i] = person(a);
        row->field[r->id[scheme_of(a)]] = a->platform_id;
        row->field[r->u.columns - 2] = a->email;
        row->field[r->u.columns - 1] = a->late && !r->m->stays[i] ? "yes" : "";
    }
}

/* Names and addresses of the gradebook, and its students who handed in nothing. Those who did, or
 * may have, can have been absent in an earlier import. */
static void add_class(struct roster_rows *r)
{
    const size_t email = r->u.columns - 2;
    for (size_t i = 0; i < r->m->class.count; i++) {
        const struct enrolled *x = &r->m->class.item[i];
        if (x->student >= 0) {
            struct class_row *row = &r->row[x->student];
            row->weak_name = row->field[0];
            row->field[0] = x->name;
            row->field[email] = *x->email ? x->email : row->field[email];
            if (r->m->class.key)
                row->field[email - 1] = x->key;
        }
        if (is_student(r->m, x->id))
            continue;
        struct class_row *row = new_row(r, x->id);
        row->change = x->student >= 0 || x->unclear ? CLASS_REMOVE : CLASS_WRITE;
        row->field[0] = x->name;
        row->field[email] = x->email;
        if (r->m->class.key)
            row->field[email - 1] = x->key;
        if (*x->platform_id)
            row->field[r->id[scheme_of(counting(r->m, 0))]] = x->platform_id;
    }
}

static int by_submission(const void *a, const void *b)
{
    return strcmp(((const struct class_row *)a)->submission,
                  ((const struct class_row *)b)->submission);
}

static int write_roster(struct importing *m)
{
    _Static_assert(SCHEME_COUNT + 4 <= CLASS_COLUMNS_MOST, "a column for each platform");
    struct roster_rows r = {.m = m};
    r.row = xcalloc(m->out->students + m->class.count + 1, sizeof *r.row);
    r.name = xcalloc(m->out->students + 1, sizeof *r.name);
    r.u.row = r.row;
    roster_columns(&r);
    add_students(&r);
    add_class(&r);
    qsort(r.row, r.u.rows, sizeof *r.row, by_submission);
    OWNED char *path = xasprintf("%s/roster.csv", m->q->to);
    const int rc = class_list_update(path, &r.u, NULL, m->e);
    fs_list_free(r.name, m->out->students);
    free(r.row);
    return rc;
}

static int write_times(struct importing *m)
{
    OWNED struct class_row *row = xcalloc(m->out->students + 1, sizeof *row);
    char(*text)[INSTANT_TEXT] = xcalloc(m->out->students + 1, sizeof *text);
    struct class_update u = {{"submitted"}, 1, row, 0};
    OWNED char *path = xasprintf("%s/submitted.csv", m->q->to);
    for (size_t i = 0; i < m->out->students; i++) {
        const struct attempt *a = counting(m, i);
        if (m->stays[i])
            continue;
        instant_format(a->submitted, text[i]);
        /* Somebody may have written the time that the platform does not tell. */
        row[u.rows++] = (struct class_row){.submission = a->id,
                                           .field = {text[i]},
                                           .change = is_too_late(m, i) ? CLASS_REMOVE
                                                     : a->timed        ? CLASS_WRITE
                                                                       : CLASS_KEEP};
    }
    const int rc = class_list_update(path, &u, &m->out->kept_times, m->e);
    free(text);
    return rc;
}

/* --- all of it -------------------------------------------------------------------------------- */

static int import(struct importing *m)
{
    int rc = fs_remove_tree(m->scratch, m->e); /* of an import that was interrupted */
    if (rc == 0)
        rc = fs_mkdirs(m->scratch, m->e);
    if (rc == 0)
        rc = read_sources(m);
    if (rc != 0)
        return rc;
    choose(m);
    rc = keep_names(m);
    if (rc == 0)
        rc = read_class(m);
    if (rc == 0)
        rc = keep_names(m);
    if (rc == 0)
        rc = write_directories(m);
    if (rc == 0)
        rc = write_roster(m);
    if (rc == 0)
        rc = write_times(m);
    return rc == 0 ? fs_sync(m->q->to, m->e) : rc;
}

int class_import(const struct import_request *q, struct import_outcome *out, struct err *e)
{
    *out = (struct import_outcome){.too_late = STRBUF_INIT,
                                   .stay = STRBUF_INIT,
                                   .kept_times = STRBUF_INIT,
                                   .unlisted = STRBUF_INIT,
                                   .unclear = STRBUF_INIT,
                                   .prefixes = STRBUF_INIT,
                                   .remarks = REMARKS_INIT};
    const bool was_there = fs_exists(q->to);
    const int lock = import_lock(q->to, e);
    if (lock < 0)
        return -1;
    OWNED char *to = fs_absolute(q->to);
    struct importing m = {.q = q, .out = out, .e = e};
    m.scratch = xasprintf("%s/.import", to);
    m.source = xcalloc(q->count + 1, sizeof *m.source);
    int rc = import(&m);
    if (fs_remove_tree(m.scratch, rc == 0 ? e : NULL) != 0)
        rc = -1;
    if (rc != 0 && !was_there)
        rmdir(to); /* only an empty directory goes: what was imported before the error stays */
    class_gradebook_free(&m.class);
    attempts_free(&m.attempts);
    for (size_t i = 0; i < q->count; i++)
        source_free(&m.source[i]);
    free(m.source);
    free(m.counts);
    free(m.stays);
    free(m.scratch);
    close(lock);
    return rc;
}

void import_outcome_free(struct import_outcome *o)
{
    strbuf_free(&o->too_late);
    strbuf_free(&o->stay);
    strbuf_free(&o->kept_times);
    strbuf_free(&o->unlisted);
    strbuf_free(&o->unclear);
    strbuf_free(&o->prefixes);
    strbuf_free(&o->remarks.text);
}
