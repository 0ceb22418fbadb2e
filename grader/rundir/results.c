#include "rundir/results.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fsio.h"
#include "base/parallel.h"
#include "base/strbuf.h"
#include "rundir/attempts.h"
#include "rundir/derive.h"
#include "rundir/node_file.h"
#include "rundir/parts.h"
#include "rundir/paths.h"
#include "rundir/result_file.h"
#include "rundir/resume_options.h"

/* A result for a unit of which no proctor has written one. */
static struct unit_result *without_run(const char *unit_id, enum verdict v, const char *message)
{
    struct unit_result *r = unit_result_new(unit_id);
    r->verdict = v;
    free(r->message);
    r->message = xstrdup(message);
    return r;
}

/* Move a result out of the way of the next attempt, which is counted as a failed one. The file
 * stays as evidence. */
static int set_aside(const char *run, const char *unit_id, const char *path, const char *why,
                     struct err *e)
{
    char tag[64];
    snprintf(tag, sizeof tag, "damaged-%llx", (unsigned long long)clock_mono_ns());
    const struct attempt_failure f = {.tag = tag, .reason = why};
    /* Without this record nobody would count how often this has been tried. */
    if (attempt_fail(run, unit_id, &f, e) != 0)
        return -1;
    OWNED char *damaged = xasprintf("%s.damaged", path);
    int rc = 0;
    if (rename(path, damaged) != 0 && errno != ENOENT)
        rc = err_system(e, "%s: cannot be moved aside: %s", path, strerror(errno));
    return rc;
}

/* Who is told about bad files, and what results_read() returns. */
struct bad_files {
    results_bad_file *tell;
    void *arg;
    int rc;
};

static void add_bad(struct bad_files *b, const struct results_bad *file)
{
    if (b->tell)
        b->tell(b->arg, file);
    b->rc = file->unread || b->rc < 0 ? -1 : 1;
}

/* Is this why a file could not be read? Another process may have moved it away meanwhile. */
static bool is_gone(const struct err *why, const char *path)
{
    return (why->file_error == ENOENT || why->file_error == ENOTDIR) && !fs_exists(path);
}

/* Files of a unit that give no result, until they can be told in the order of the units. */
struct unit_reading {
    struct {
        char *path, *why;
        bool unread;
    } bad[2];
    unsigned bad_count;
};

/* Units are read side by side. */
struct reading {
    const struct run *run;
    struct results *out;
    struct unit_reading *unit;
};

/* NULL: there is none, or it is bad. */
static struct unit_result *read_result(char *path, const struct unit *u,
                                       struct unit_reading *reading)
{
    struct unit_result *found = NULL;
    bool fine = true;
    struct err why = ERR_INIT;
    if (unit_result_load(path, &found, &why) != 0) {
        fine = is_gone(&why, path);
    } else if (strcmp(found->unit_id, u->id) != 0) {
        err_system(&why, "%s: is the result of %s, that of another unit", path, found->unit_id);
        unit_result_free(found);
        found = NULL;
        fine = false;
    }
    if (fine) {
        free(path);
        return found;
    }
    const unsigned k = reading->bad_count++;
    reading->bad[k].path = path;
    reading->bad[k].why = xstrdup(why.text);
    reading->bad[k].unread = why.file_error != 0;
    return NULL;
}

static int attempts_of(const struct run *r, const struct unit *u)
{
    const struct attempt_count c = attempt_failures(r->dir, u->id);
    return c.failures - c.postponed;
}

/* While the times of a unit are taken up again, its first result counts. */
static void read_unit(void *arg, size_t i)
{
    struct reading *all = arg;
    const struct run *r = all->run;
    struct results *out = all->out;
    const struct unit *u = &r->plan->units[i];
    if (u->preset) {
        out->unit[i] = without_run(u->id, u->verdict, u->message ? u->message : "");
        return;
    }
    out->unit[i] = read_result(rundir_result(r->dir, u->id), u, &all->unit[i]);
    if (!out->unit[i]) {
        out->unit[i] = read_result(rundir_first_result(r->dir, u->id), u, &all->unit[i]);
        out->first[i] = out->unit[i] != NULL;
    }
    out->attempts[i] = attempts_of(r, u);
}

/* Whoever is told may count it as a failed attempt. */
static void tell_unit(struct reading *all, unsigned i, struct bad_files *b)
{
    const struct unit *u = &all->run->plan->units[i];
    struct unit_reading *reading = &all->unit[i];
    for (unsigned k = 0; k < reading->bad_count; k++) {
        add_bad(b, &(struct results_bad){u->id, reading->bad[k].path, reading->bad[k].why,
                                         reading->bad[k].unread});
        free(reading->bad[k].path);
        free(reading->bad[k].why);
    }
    if (reading->bad_count)
        all->out->attempts[i] = attempts_of(all->run, u);
}

static void read_nodes(const struct run *r, struct bad_files *b, struct results *out)
{
    OWNED char *dir = rundir_nodes(r->dir);
    OWNED_TEXTS char **names = NULL;
    size_t n;
    struct err why = ERR_INIT;
    if (fs_list(dir, &names, &n, &why) != 0) {
        if (why.file_error != ENOENT && why.file_error != ENOTDIR) /* no record yet */
            add_bad(b, &(struct results_bad){NULL, dir, why.text, true});
        return;
    }
    out->node = xcalloc(n, sizeof *out->node);
    for (size_t i = 0; i < n; i++) {
        if (!part_has_name(PART_NODE, names[i]))
            continue;
        OWNED char *path = xasprintf("%s/%s", dir, names[i]);
        if (node_record_load(path, &out->node[out->node_count], &why) == 0)
            out->node_count++;
        else if (!is_gone(&why, path))
            add_bad(b, &(struct results_bad){NULL, path, why.text, why.file_error != 0});
    }
}

int results_read(const struct run *r, struct results *out, results_bad_file *bad, void *arg)
{
    struct bad_files b = {.tell = bad, .arg = arg};
    unsigned n = r->plan->units_count;
    *out = (struct results){.unit_count = n};
    out->unit = xcalloc(n, sizeof *out->unit);
    out->first = xcalloc(n, sizeof *out->first);
    out->attempts = xcalloc(n, sizeof *out->attempts);
    read_nodes(r, &b, out);
    struct reading all = {r, out, xcalloc(n, sizeof *all.unit)};
    parallel_for(n, read_unit, &all);
    for (unsigned i = 0; i < n; i++)
        tell_unit(&all, i, &b);
    free(all.unit);
    results_derive(r, out);
    return b.rc;
}

void results_give_up(const struct run *r, struct results *res, unsigned i, const char *reason)
{
    unit_result_free(res->unit[i]);
    res->unit[i] = without_run(r->plan->units[i].id, VERDICT_INFRA_ERROR,
                               reason ? reason : "no attempt at this unit has left a result");
}

void results_skip(const struct run *r, struct results *res, unsigned i, const char *reason)
{
    unit_result_free(res->unit[i]);
    res->unit[i] = without_run(r->plan->units[i].id, VERDICT_SKIPPED, reason);
}

static void give_up(const struct run *r, struct results *res, unsigned i)
{
    OWNED char *reason = attempt_last_reason(r->dir, r->plan->units[i].id);
    results_give_up(r, res, i, reason);
}

void results_take_first(const struct run *r, struct results *res, unsigned i)
{
    OWNED char *path = rundir_first_result(r->dir, r->plan->units[i].id);
    struct err ignored = ERR_INIT;
    unit_result_free(res->unit[i]);
    if (unit_result_load(path, &res->unit[i], &ignored) != 0)
        res->unit[i] = NULL;
    res->first[i] = res->unit[i] != NULL;
}

void results_end(const struct run *r, struct results *res)
{
    FREED_BY(resume_options_free) struct resume_options options = {0};
    struct err ignored = ERR_INIT;
    if (resume_options_load(r->dir, &options, &ignored) == 0)
        for (unsigned i = 0; i < res->unit_count; i++)
            if (!res->unit[i] && resume_options_ended(r, &options, r->plan->units[i].id, NULL))
                give_up(r, res, i);
}

int results_redo(const struct run *r, unsigned i, const char *why, struct err *e)
{
    const char *id = r->plan->units[i].id;
    OWNED char *path = rundir_result(r->dir, id), *first = rundir_first_result(r->dir, id);
    int rc = set_aside(r->dir, id, path, why, e);
    unlink(first);
    return rc;
}

static void say_unread(const struct results_bad *b, struct err *e)
{
    err_system(e, "%s; left as it is, because it may be whole. Make it readable, then try again",
               b->why);
}

struct told {
    struct err *e;
    bool unread; /* *e is about such a file, which matters more than a damaged one */
};

static void tell(void *arg, const struct results_bad *b)
{
    struct told *t = arg;
    if (b->unread)
        say_unread(b, t->e);
    else if (!t->unread)
        err_system(t->e, "%s; `paragrade resume` moves it aside, and runs again what needs it",
                   b->why);
    t->unread = t->unread || b->unread;
}

int results_load(const struct run *r, struct results *out, struct err *e)
{
    struct told t = {.e = e};
    return results_read(r, out, tell, &t);
}

struct mending {
    const struct run *run;
    struct err *e;
    bool failed;
};

static void move_aside(void *arg, const struct results_bad *b)
{
    struct mending *m = arg;
    if (m->failed)
        return;
    if (b->unread) {
        say_unread(b, m->e);
        m->failed = true;
        return;
    }
    if (b->unit_id) {
        m->failed = set_aside(m->run->dir, b->unit_id, b->path, b->why, m->e) != 0;
        if (!m->failed)
            err_system(m->e, "%s; moved aside, the unit will run again", b->why);
        return;
    }
    OWNED char *aside = xasprintf("%s.damaged", b->path);
    err_system(m->e, "%s", b->why);
    if (rename(b->path, aside) != 0 && errno != ENOENT) {
        err_system(m->e, "%s: cannot be moved aside: %s", b->path, strerror(errno));
        m->failed = true;
    }
}

int results_collect(const struct run *r, bool final, struct results *out, struct err *e)
{
    struct mending m = {r, e, false};
    int damaged = results_read(r, out, move_aside, &m);
    for (unsigned i = 0; final && i < out->unit_count; i++)
        if (!out->unit[i])
            give_up(r, out, i);
    return m.failed ? -1 : damaged;
}

unsigned results_left(const struct results *res)
{
    unsigned left = 0;
    for (unsigned i = 0; i < res->unit_count; i++)
        left += !res->unit[i];
    return left;
}

void results_free(struct results *res)
{
    for (unsigned i = 0; i < res->unit_count; i++)
        unit_result_free(res->unit[i]);
    for (unsigned i = 0; i < res->node_count; i++)
        node_record_free(res->node[i]);
    free(res->unit);
    free(res->first);
    free(res->attempts);
    free(res->node);
    *res = (struct results){0};
}

const struct node_record *results_node(const struct results *res, const struct unit_result *u)
{
    for (unsigned i = 0; i < res->node_count; i++)
        if (strcmp(res->node[i]->host, u->host) == 0 &&
            strcmp(res->node[i]->yardstick, u->yardstick) == 0)
            return res->node[i];
    return NULL;
}
