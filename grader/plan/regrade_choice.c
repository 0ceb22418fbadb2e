#include "plan/regrade_choice.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/digest.h"
#include "base/fsio.h"
#include "base/identifier.h"
#include "base/plural.h"
#include "model/unit_sources.h"
#include "plan/snapshot.h"
#include "rundir/find_submission.h"
#include "rundir/paths.h"
#include "rundir/revision.h"

/* --- who -------------------------------------------------------------------------------------- */

static int ask_tier(const struct regrade_request *req, struct regrade_choice *c, int s,
                    const char *tier, struct err *e)
{
    const struct plan *p = req->old->plan;
    const struct unit_range mine = plan_units_of(p, s);
    FREED_BY(strbuf_free) struct strbuf names = STRBUF_INIT;
    bool found = false;
    for (unsigned i = mine.first; i < mine.end; i++) {
        const char *name = req->old->assignment->tiers[p->units[i].tier].name;
        strbuf_addf(&names, "%s%s", names.len ? ", " : "", name);
        if (tier && strcmp(tier, name) != 0)
            continue;
        c->asked[i] = true;
        found = true;
    }
    c->look[s].wanted = true;
    return found ? 0
                 : err_input(e, "--only: %s has no tier '%s' in this run; it has: %s",
                             p->submissions[s].id, tier ? tier : "", names.s);
}

/* "student" or "student.tier"; a student's id may hold dots, too. */
static int ask(const struct regrade_request *req, struct regrade_choice *c, const char *text,
               struct err *e)
{
    struct err why = ERR_INIT;
    int s = find_submission(req->old->plan, text, &why);
    if (s >= 0)
        return ask_tier(req, c, s, NULL, e);
    const char *dot = strrchr(text, '.');
    OWNED char *student = dot ? xasprintf("%.*s", (int)(dot - text), text) : NULL;
    s = student ? find_submission(req->old->plan, student, NULL) : -1;
    return s >= 0 ? ask_tier(req, c, s, dot + 1, e)
                  : err_input(e, "--only: %s; write a student, or student.tier", why.text);
}

/* --- where ------------------------------------------------------------------------------------ */

static int look_at(const struct regrade_request *req, struct regrade_choice *c, struct err *e)
{
    const struct plan *p = req->old->plan;
    size_t used = 0;
    c->added = xcalloc(c->found.count + 1, sizeof *c->added);
    for (size_t k = 0; k < c->found.count; k++) {
        const struct found *f = &c->found.item[k];
        char *id = identifier_encode(f->name);
        int s = -1;
        for (unsigned i = 0; i < p->submissions_count; i++)
            if (strcmp(p->submissions[i].id, id) == 0 && !p->submissions[i].is_reference)
                s = (int)i;
        free(id);
        if (s < 0 && (req->only_count || p->roster_columns_count)) {
            if (!req->only_count)
                plan_note(req->notes, "%s: left out, not on the roster of this run", f->name, "");
            continue;
        }
        used++;
        if (s < 0) {
            c->added[c->added_count++] = *f;
        } else if (c->look[s].path) {
            return err_input(e, "both %s and %s are directories of %s: give one", c->look[s].path,
                             f->path, p->submissions[s].id);
        } else {
            c->look[s].path = f->path;
            c->look[s].wanted = c->look[s].wanted || !req->only_count;
        }
    }
    return used ? 0
                : err_input(e, "none of the %zu %s given belongs to a submission of this run",
                            c->found.count, plural(c->found.count, "directory", "directories"));
}

/* Who is named must be among the directories. */
static int check_found(const struct regrade_request *req, const struct regrade_choice *c,
                       struct err *e)
{
    const struct plan *p = req->old->plan;
    for (unsigned i = 0; i < p->submissions_count; i++)
        if (c->look[i].wanted && !c->look[i].path && !p->submissions[i].is_reference)
            return err_input(e, "--only: %s is not among the directories given",
                             p->submissions[i].id);
    return 0;
}

int regrade_choice_make(const struct regrade_request *req, struct regrade_choice *c, struct err *e)
{
    const struct plan *p = req->old->plan;
    *c = (struct regrade_choice){.part = req->only_count || req->dirs_count};
    c->look = xcalloc(p->submissions_count + 1, sizeof *c->look);
    c->asked = xcalloc(p->units_count + 1, sizeof *c->asked);
    if (c->part && req->assignment)
        return err_input(e, "--assignment regrades the whole run: not with --only or directories");
    for (unsigned i = 0; i < p->submissions_count; i++)
        c->look[i].wanted = !c->part;
    for (size_t i = 0; i < req->only_count; i++)
        if (ask(req, c, req->only[i], e) != 0)
            return -1;
    if (!req->dirs_count)
        return 0;
    if (find_submissions(req->dirs, req->dirs_count, req->old->assignment, &c->found, e) != 0 ||
        look_at(req, c, e) != 0)
        return -1;
    return req->only_count ? check_found(req, c, e) : 0;
}

void regrade_choice_free(struct regrade_choice *c)
{
    free(c->look);
    free(c->asked);
    free(c->added);
    found_free(&c->found);
    *c = (struct regrade_choice){0};
}

bool regrade_choice_asks(const struct regrade_choice *c, const struct plan *old, int unit)
{
    return unit >= 0 && (unsigned)unit < old->units_count && c->asked[unit];
}

/* --- single tiers ----------------------------------------------------------------------------- */

/* Two snapshots of the sources of one submission. */
struct two {
    const char *was, *is; /* directories */
    const char *id;
};

static bool same_file(const struct two *t, const char *name)
{
    OWNED char *a = xasprintf("%s/%s", t->was, name), *b = xasprintf("%s/%s", t->is, name);
    return digest_same_files(a, b);
}

static bool listed(char *const *names, const char *name)
{
    for (size_t i = 0; names && names[i]; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

/* A file that named and other tiers share must be the same in both. */
static int refuse(const struct two *t, const char *name, struct err *e)
{
    return err_input(
        e,
        "--only: %s has changed %s, which other tiers use, too: regrade all tiers with "
        "--only %s",
        t->id, name, t->id);
}

static int check_headers(const struct two *t, const struct unit_sources *was,
                         const struct unit_sources *is, struct err *e)
{
    for (size_t i = 0; is->headers[i]; i++)
        if (!listed(was->headers, is->headers[i]) || !same_file(t, is->headers[i]))
            return refuse(t, is->headers[i], e);
    for (size_t i = 0; was->headers[i]; i++)
        if (!listed(is->headers, was->headers[i]))
            return refuse(t, was->headers[i], e);
    return 0;
}

/* Put the old sources of a tier that was not named back. `mine`: those of the tiers that were. */
static int put_back(const struct two *t, const struct unit_sources *was, char *const *mine,
                    struct err *e)
{
    for (size_t i = 0; was->compiled[i]; i++) {
        const char *name = was->compiled[i];
        if (same_file(t, name))
            continue;
        if (listed(mine, name))
            return refuse(t, name, e);
        OWNED char *from = xasprintf("%s/%s", t->was, name), *to = xasprintf("%s/%s", t->is, name);
        unlink(to);
        int rc = fs_mkdirs_for(to, e);
        if (rc == 0)
            rc = fs_copy(from, to, SIZE_MAX / 2, e);
        if (rc != 0)
            return -1;
    }
    return 0;
}

/* The unit as it was. */
static void take_back(struct unit *u, const struct unit *was)
{
    free(u->source);
    free(u->message);
    u->source = was->source ? xstrdup(was->source) : NULL;
    u->preset = was->preset;
    u->verdict = was->verdict;
    u->message = was->message ? xstrdup(was->message) : NULL;
}

/* The unit with that id, or -1. */
static int unit_among(const struct plan *p, struct unit_range of, const char *id)
{
    for (unsigned i = of.first; i < of.end; i++)
        if (strcmp(p->units[i].id, id) == 0)
            return (int)i;
    return -1;
}

static int limit(const struct regrade_choice *c, unsigned i, const struct run *old, struct draft *d,
                 int s, const struct two *two, struct err *e)
{
    const struct unit_range had = plan_units_of(old->plan, (int)i),
                            now_has = plan_units_of(d->p, s);
    FREED_BY(unit_sources_free) struct unit_sources all = {0};
    int rc = 0;
    /* Sources of the tiers that were named. */
    for (unsigned u = now_has.first; u < now_has.end; u++) {
        const struct unit *is = &d->p->units[u];
        const int k = unit_among(old->plan, had, is->id);
        FREED_BY(unit_sources_free) struct unit_sources mine = {0};
        if (k < 0 || !c->asked[k] || !is->source ||
            unit_sources_find(two->is, &d->a->tiers[is->tier], is->source, &mine, NULL) != 0)
            continue;
        for (size_t n = 0; mine.compiled[n]; n++)
            unit_sources_add(&all, mine.compiled[n]);
    }
    for (unsigned k = had.first; k < had.end && rc == 0; k++) {
        const struct unit *was = &old->plan->units[k];
        const int at = unit_among(d->p, now_has, was->id);
        struct unit_sources before, now;
        if (c->asked[k] || at < 0)
            continue;
        const struct tier *t = &old->assignment->tiers[was->tier];
        take_back(&d->p->units[at], was);
        if (!was->source || unit_sources_find(two->was, t, was->source, &before, NULL) != 0)
            continue;
        rc = put_back(two, &before, all.compiled, e);
        if (rc == 0 && unit_sources_find(two->is, t, was->source, &now, e) == 0) {
            rc = check_headers(two, &before, &now, e);
            unit_sources_free(&now);
        }
        unit_sources_free(&before);
    }
    return rc;
}

int regrade_choice_limit(const struct regrade_choice *c, unsigned i, const struct run *old,
                         struct draft *d, int s, struct err *e)
{
    bool all = true, any = false;
    const struct unit_range had = plan_units_of(old->plan, (int)i);
    for (unsigned k = had.first; k < had.end; k++) {
        all = all && c->asked[k];
        any = any || c->asked[k];
    }
    if (all || !any)
        return 0;
    const char *id = d->p->submissions[s].id;
    OWNED char *was = rundir_sources(old->dir, id), *is = rundir_sources(d->dir, id);
    const struct two two = {was, is, id};
    return limit(c, i, old, d, s, &two, e);
}
