#include "rundir/results.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/fsio.h"
#include "base/strbuf.h"
#include "rundir/attempts.h"
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
    char *damaged = xasprintf("%s.damaged", path);
    int rc = 0;
    if (rename(path, damaged) != 0 && errno != ENOENT)
        rc = err_system(e, "%s: cannot be moved aside: %s", path, strerror(errno));
    free(damaged);
    return rc;
}

/* Called for each file of the run directory that cannot be read. */
struct damage_handler {
    results_damage *damage;
    void *arg;
};

static bool read_unit(const struct run *r, unsigned i, const struct damage_handler *h,
                      struct results *out)
{
    const struct unit *u = &r->plan->units[i];
    if (u->preset) {
        out->unit[i] = without_run(u->id, u->verdict, u->message ? u->message : "");
        return true;
    }
    bool fine = true;
    struct err why = ERR_INIT;
    char *path = rundir_result(r->dir, u->id);
    if (fs_exists(path) && unit_result_load(path, &out->unit[i], &why) != 0) {
        fine = false;
    } else if (out->unit[i] && strcmp(out->unit[i]->unit_id, u->id) != 0) {
        err_system(&why, "%s: is the result of %s, that of another unit", path,
                   out->unit[i]->unit_id);
        unit_result_free(out->unit[i]);
        out->unit[i] = NULL;
        fine = false;
    }
    if (!fine && h->damage)
        h->damage(h->arg, u->id, path, why.text);
    const struct attempt_count c = attempt_failures(r->dir, u->id);
    out->attempts[i] = c.failures - c.postponed;
    free(path);
    return fine;
}

static bool read_nodes(const struct run *r, const struct damage_handler *h, struct results *out)
{
    char *dir = rundir_nodes(r->dir), **names;
    size_t n;
    bool fine = true;
    if (fs_list(dir, &names, &n, NULL) == 0) {
        out->node = xcalloc(n, sizeof *out->node);
        for (size_t i = 0; i < n; i++) {
            if (!part_has_name(PART_NODE, names[i]))
                continue;
            struct err why = ERR_INIT;
            char *path = xasprintf("%s/%s", dir, names[i]);
            if (node_record_load(path, &out->node[out->node_count], &why) == 0) {
                out->node_count++;
            } else {
                if (h->damage)
                    h->damage(h->arg, NULL, path, why.text);
                fine = false;
            }
            free(path);
        }
        fs_list_free(names, n);
    }
    free(dir);
    return fine;
}

int results_read(const struct run *r, struct results *out, results_damage *damage, void *arg)
{
    const struct damage_handler h = {damage, arg};
    unsigned n = r->plan->units_count;
    *out = (struct results){.unit_count = n};
    out->unit = xcalloc(n, sizeof *out->unit);
    out->attempts = xcalloc(n, sizeof *out->attempts);
    bool fine = read_nodes(r, &h, out);
    for (unsigned i = 0; i < n; i++)
        fine = read_unit(r, i, &h, out) && fine;
    return fine ? 0 : 1;
}

void results_give_up(const struct run *r, struct results *res, unsigned i)
{
    const char *id = r->plan->units[i].id;
    char *reason = attempt_last_reason(r->dir, id);
    unit_result_free(res->unit[i]);
    res->unit[i] = without_run(id, VERDICT_INFRA_ERROR,
                               reason ? reason : "no attempt at this unit has left a result");
    free(reason);
}

void results_end(const struct run *r, struct results *res)
{
    struct resume_options options;
    struct err ignored = ERR_INIT;
    if (resume_options_load(r->dir, &options, &ignored) == 0)
        for (unsigned i = 0; i < res->unit_count; i++)
            if (!res->unit[i] && resume_options_ended(r, &options, r->plan->units[i].id, NULL))
                results_give_up(r, res, i);
    resume_options_free(&options);
}

int results_redo(const struct run *r, unsigned i, const char *why, struct err *e)
{
    const char *id = r->plan->units[i].id;
    char *path = rundir_result(r->dir, id);
    int rc = set_aside(r->dir, id, path, why, e);
    free(path);
    return rc;
}

struct mending {
    const struct run *run;
    struct err *e;
    bool failed;
};

static void move_aside(void *arg, const char *unit_id, const char *path, const char *why)
{
    struct mending *m = arg;
    if (m->failed)
        return;
    if (unit_id) {
        m->failed = set_aside(m->run->dir, unit_id, path, why, m->e) != 0;
        if (!m->failed)
            err_system(m->e, "%s; moved aside, the unit will run again", why);
        return;
    }
    char *aside = xasprintf("%s.damaged", path);
    err_system(m->e, "%s", why);
    rename(path, aside);
    free(aside);
}

int results_collect(const struct run *r, bool final, struct results *out, struct err *e)
{
    struct mending m = {r, e, false};
    int damaged = results_read(r, out, move_aside, &m);
    for (unsigned i = 0; final && i < out->unit_count; i++)
        if (!out->unit[i])
            results_give_up(r, out, i);
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
