/* Everything that lies in a run directory, read into memory; rundir/run.h has the contract. */
#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/fsio.h"
#include "base/strbuf.h"
#include "rundir/paths.h"
#include "rundir/run.h"

static bool starts_with(const char *s, const char *prefix)
{
    return strncmp(s, prefix, strlen(prefix)) == 0;
}

static bool ends_with(const char *s, const char *suffix)
{
    size_t n = strlen(s), k = strlen(suffix);
    return n >= k && strcmp(s + n - k, suffix) == 0;
}

/* A result for what is known without running, and for what never came. */
static struct unit_result *made_up(const char *unit_id, enum verdict v, const char *message)
{
    struct unit_result *r = xcalloc(1, sizeof *r);
    r->unit_id = xstrdup(unit_id);
    r->verdict = v;
    r->protections = PROTECTIONS_UNKNOWN;
    r->message = xstrdup(message);
    r->build_command = xstrdup("");
    r->build_log = xstrdup("");
    r->output = xstrdup("");
    r->host = xstrdup("");
    r->yardstick = xstrdup("");
    r->device = xstrdup("");
    r->job = xstrdup("");
    r->started = xstrdup("");
    r->source_hash = xstrdup("");
    r->compiler = xstrdup("");
    r->evidence = xstrdup("");
    return r;
}

/* Count infra-*.json in a unit's directory; *last receives the reason of the newest. */
static int count_failures(const char *run, const char *unit_id, char **last)
{
    char *dir = rundir_unit(run, unit_id), **names;
    size_t n;
    int failures = 0;
    char newest[64] = "";
    *last = NULL;
    if (fs_list(dir, &names, &n, NULL) == 0) {
        for (size_t i = 0; i < n; i++) {
            if (!starts_with(names[i], "infra-") || !ends_with(names[i], ".json"))
                continue;
            failures++;
            char *path = xasprintf("%s/%s", dir, names[i]);
            json_t *j = json_load_file(path, 0, NULL);
            const char *reason = json_string_value(json_object_get(j, "reason"));
            const char *when = json_string_value(json_object_get(j, "when"));
            if (reason && when && (!*last || strcmp(when, newest) >= 0)) {
                snprintf(newest, sizeof newest, "%s", when);
                free(*last);
                *last = xstrdup(reason);
            }
            json_decref(j);
            free(path);
        }
        fs_list_free(names, n);
    }
    free(dir);
    return failures;
}

/* A file that cannot be read is kept as evidence, out of the way of the next attempt. */
static int set_aside(const char *run, const char *unit_id, const char *path, const char *why,
                     struct err *e)
{
    char when[40];
    clock_utc(when, sizeof when);
    char *dir = rundir_unit(run, unit_id);
    char *damaged = xasprintf("%s.damaged", path);
    char *note = xasprintf("%s/infra-damaged-%llx.json", dir, (unsigned long long)clock_mono_ns());
    json_t *j = json_pack("{s:s, s:s, s:s}", "reason", why, "host", "", "when", when);
    char *text = j ? json_dumps(j, 0) : NULL;
    /* Without the note nobody would count how often this has been tried. */
    int rc = text ? fs_write_atomic(note, text, strlen(text), e) : 0;
    if (rc == 0 && rename(path, damaged) != 0 && errno != ENOENT)
        rc = err_system(e, "%s: cannot be moved aside: %s", path, strerror(errno));
    json_decref(j);
    free(text);
    free(damaged);
    free(note);
    free(dir);
    return rc;
}

/* What a walk over the run directory does about a file that cannot be read. */
struct walk {
    results_damage *damage;
    void *arg;
};

static bool read_unit(const struct run *r, unsigned i, const struct walk *w, struct results *out)
{
    const struct unit *u = &r->plan->units[i];
    if (u->preset) {
        out->unit[i] = made_up(u->id, u->verdict, u->message ? u->message : "");
        return true;
    }
    bool fine = true;
    struct err why = ERR_INIT;
    char *path = rundir_result(r->dir, u->id), *reason = NULL;
    if (fs_exists(path) && unit_result_load(path, &out->unit[i], &why) != 0) {
        fine = false;
    } else if (out->unit[i] && strcmp(out->unit[i]->unit_id, u->id) != 0) {
        err_system(&why, "%s: is the result of %s, that of another unit", path,
                   out->unit[i]->unit_id);
        unit_result_free(out->unit[i]);
        out->unit[i] = NULL;
        fine = false;
    }
    if (!fine)
        w->damage(w->arg, u->id, path, why.text);
    out->attempts[i] = count_failures(r->dir, u->id, &reason);
    free(reason);
    free(path);
    return fine;
}

static bool read_nodes(const struct run *r, const struct walk *w, struct results *out)
{
    char *probe = rundir_node(r->dir, "x", "x"), **names;
    *strrchr(probe, '/') = '\0';
    size_t n;
    bool fine = true;
    if (fs_list(probe, &names, &n, NULL) == 0) {
        out->node = xcalloc(n, sizeof *out->node);
        for (size_t i = 0; i < n; i++) {
            if (!ends_with(names[i], ".json"))
                continue;
            struct err why = ERR_INIT;
            char *path = xasprintf("%s/%s", probe, names[i]);
            if (node_record_load(path, &out->node[out->node_count], &why) == 0) {
                out->node_count++;
            } else {
                w->damage(w->arg, NULL, path, why.text);
                fine = false;
            }
            free(path);
        }
        fs_list_free(names, n);
    }
    free(probe);
    return fine;
}

int results_read(const struct run *r, struct results *out, results_damage *damage, void *arg)
{
    const struct walk w = {damage, arg};
    unsigned n = r->plan->units_count;
    *out = (struct results){.unit_count = n};
    out->unit = xcalloc(n, sizeof *out->unit);
    out->attempts = xcalloc(n, sizeof *out->attempts);
    bool fine = read_nodes(r, &w, out);
    for (unsigned i = 0; i < n; i++)
        fine = read_unit(r, i, &w, out) && fine;
    return fine ? 0 : 1;
}

void results_give_up(const struct run *r, struct results *res, unsigned i)
{
    char *reason = NULL;
    const char *id = r->plan->units[i].id;
    count_failures(r->dir, id, &reason);
    unit_result_free(res->unit[i]);
    res->unit[i] = made_up(id, VERDICT_INFRA_ERROR,
                           reason ? reason : "no attempt at this unit has left a result");
    free(reason);
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
