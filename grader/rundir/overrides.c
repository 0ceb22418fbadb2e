#include "rundir/overrides.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/csv.h"
#include "base/instant.h"
#include "base/json.h"
#include "base/parse.h"
#include "base/strbuf.h"
#include "rundir/find_submission.h"

#define POINTS_MOST 1e6

enum { STUDENT, TIER, POINTS, DELTA, DEADLINE, REASON, FIELDS };

static const char *const names[FIELDS] = {"student", "tier",     "points",
                                          "delta",   "deadline", "reason"};

struct reading {
    const char *path;
    const struct plan *plan;
    const struct assignment *assignment;
    int column[FIELDS]; /* -1: the file has no such column */
    struct overrides *out;
};

/* A field without the blanks around it; "" if the file has no such column. The caller frees it. */
static char *field(const struct reading *r, const struct csv_row *row, int which)
{
    const char *s = r->column[which] < 0 ? "" : row->field[r->column[which]];
    s += strspn(s, " \t\r\n");
    size_t n = strlen(s);
    while (n && strchr(" \t\r\n", s[n - 1]))
        n--;
    return xasprintf("%.*s", (int)n, s);
}

static int find_unit(const struct reading *r, int submission, const char *tier, struct err *e)
{
    const struct unit_range mine = plan_units_of(r->plan, submission);
    FREED_BY(strbuf_free) struct strbuf known = STRBUF_INIT;
    int found = -1;
    for (unsigned i = mine.first; i < mine.end; i++) {
        const char *name = r->assignment->tiers[r->plan->units[i].tier].name;
        strbuf_addf(&known, "%s%s", known.len ? ", " : "", name);
        if (strcmp(name, tier) == 0)
            found = (int)i;
    }
    if (found < 0)
        err_input(e, "%s has no tier '%s' in this run; it has: %s",
                  r->plan->submissions[submission].id, tier, known.s);
    return found;
}

/* Points, delta or deadline: exactly one of them. */
static int read_value(char *const *f, struct override *o, struct err *e)
{
    const int given = (*f[POINTS] != 0) + (*f[DELTA] != 0) + (*f[DEADLINE] != 0);
    if (given != 1)
        return err_input(e, "give one of points, delta and deadline, not %s",
                         given ? "several" : "none");
    if (*f[DEADLINE]) {
        o->kind = OVERRIDE_DEADLINE;
        if (o->unit >= 0)
            return err_input(e, "a deadline is that of the whole submission: leave tier empty");
        return instant_parse(f[DEADLINE], &o->deadline, e) == 0 ? 0 : err_context(e, "deadline");
    }
    o->kind = *f[POINTS] ? OVERRIDE_POINTS : OVERRIDE_DELTA;
    if (o->kind == OVERRIDE_POINTS)
        return parse_double(f[POINTS], 0, POINTS_MOST, &o->value, e) == 0
                   ? 0
                   : err_context(e, "points");
    return parse_double(f[DELTA] + (*f[DELTA] == '+'), -POINTS_MOST, POINTS_MOST, &o->value, e) == 0
               ? 0
               : err_context(e, "delta");
}

static int read_fields(const struct reading *r, char *const *f, struct override *o, struct err *e)
{
    for (int i = 0; i < FIELDS; i++)
        if (!json_is_text(f[i]))
            return err_input(e, "not UTF-8 text; save the file as UTF-8");
    if (!*f[STUDENT])
        return err_input(e, "student is empty");
    o->submission = find_submission(r->plan, f[STUDENT], e);
    if (o->submission < 0)
        return -1;
    if (r->plan->submissions[o->submission].is_reference)
        return err_input(e, "%s is the reference, which has no points", f[STUDENT]);
    if (*f[TIER] && (o->unit = find_unit(r, o->submission, f[TIER], e)) < 0)
        return -1;
    if (read_value(f, o, e) != 0)
        return -1;
    if (!*f[REASON])
        return err_input(e, "there is no reason; write why this was decided");
    for (int k = 0; k <= OVERRIDE_DEADLINE; k++) {
        const bool excludes = (k == OVERRIDE_DEADLINE) == (o->kind == OVERRIDE_DEADLINE);
        if (excludes && overrides_find(r->out, o->submission, o->unit, (enum override_kind)k))
            return err_input(e, "a second row for %s%s%s; give one", f[STUDENT],
                             *f[TIER] ? " and " : "", f[TIER]);
    }
    return 0;
}

static int read_row(const struct reading *r, const struct csv_row *row, struct err *e)
{
    char *f[FIELDS];
    struct override o = {.unit = -1};
    struct err why = ERR_INIT;
    for (int i = 0; i < FIELDS; i++)
        f[i] = field(r, row, i);
    int rc = read_fields(r, f, &o, &why);
    if (rc != 0) {
        rc = err_input(e, "%s:%zu: %s", r->path, row->line, why.text);
    } else {
        o.reason = xstrdup(f[REASON]);
        r->out->item = xrealloc_array(r->out->item, r->out->count + 1, sizeof *r->out->item);
        r->out->item[r->out->count++] = o;
    }
    for (int i = 0; i < FIELDS; i++)
        free(f[i]);
    return rc;
}

/* A column with a typing error would be a decision that nobody applies. */
static int find_columns(struct reading *r, const struct csv_table *t, struct err *e)
{
    bool reason = false, student = false;
    for (int i = 0; i < FIELDS; i++)
        r->column[i] = t->count ? csv_column(t, names[i]) : -1;
    for (size_t k = 0; t->count && k < t->row[0].count; k++) {
        bool known = !t->row[0].field[k][strspn(t->row[0].field[k], " \t")];
        for (int i = 0; i < FIELDS; i++)
            known = known || r->column[i] == (int)k;
        if (!known)
            return err_input(
                e,
                "%s:1: unknown or repeated column '%s'; the columns are student, tier, points, "
                "delta, deadline, reason",
                r->path, t->row[0].field[k]);
    }
    student = r->column[STUDENT] >= 0;
    reason = r->column[REASON] >= 0;
    if (!student || !reason)
        return err_input(e,
                         "%s: the first line must name the columns: student, tier, points or "
                         "delta, reason",
                         r->path);
    return 0;
}

int overrides_load(const char *path, const struct plan *p, const struct assignment *a,
                   struct overrides *out, struct err *e)
{
    struct reading r = {.path = path, .plan = p, .assignment = a, .out = out};
    FREED_BY(csv_table_free) struct csv_table t = {0};
    *out = (struct overrides){0};
    if (csv_read(path, &t, e) != 0)
        return -1;
    int rc = find_columns(&r, &t, e);
    for (size_t i = 1; i < t.count && rc == 0; i++)
        rc = read_row(&r, &t.row[i], e);
    return rc;
}

void overrides_free(struct overrides *o)
{
    for (size_t i = 0; i < o->count; i++)
        free(o->item[i].reason);
    free(o->item);
    *o = (struct overrides){0};
}

const struct override *overrides_find(const struct overrides *o, int submission, int unit,
                                      enum override_kind kind)
{
    for (size_t i = 0; i < o->count; i++)
        if (o->item[i].submission == submission && o->item[i].unit == unit &&
            o->item[i].kind == kind)
            return &o->item[i];
    return NULL;
}
