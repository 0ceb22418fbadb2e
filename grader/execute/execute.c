#include "execute/execute.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/plural.h"
#include "base/strbuf.h"
#include "base/term.h"
#include "execute/again.h"
#include "execute/stop.h"
#include "rundir/attempts.h"
#include "rundir/results.h"
#include "rundir/resume_options.h"
#include "rundir/tools.h"

/* --- what is left to do ------------------------------------------------------------------- */

struct todo {
    int *unit;     /* plan indices */
    int *failures; /* of each, before this round */
    unsigned count;
};

static void todo_free(struct todo *t)
{
    free(t->unit);
    free(t->failures);
    *t = (struct todo){0};
}

static void todo_make(const struct run *r, const struct resume_options *s, struct todo *t)
{
    const struct plan *p = r->plan;
    t->unit = xcalloc(p->units_count + 1, sizeof *t->unit);
    t->failures = xcalloc(p->units_count + 1, sizeof *t->failures);
    t->count = 0;
    for (unsigned i = 0; i < p->units_count; i++) {
        const struct unit *u = &p->units[i];
        if (u->preset || attempt_has_result(r->dir, u->id))
            continue;
        int failures;
        if (resume_options_ended(r, s, u->id, &failures))
            continue;
        t->unit[t->count] = (int)i;
        t->failures[t->count++] = failures;
    }
}

/* Count a failure for each unit of which the executor left no trace. Else rounds could repeat for
 * ever. */
static int record_silent(const struct run *r, const struct resume_options *s, const struct todo *t,
                         int round, struct err *e)
{
    for (unsigned i = 0; i < t->count; i++) {
        const char *id = r->plan->units[t->unit[i]].id;
        if (attempt_has_result(r->dir, id) ||
            resume_options_count(s, id, attempt_failures(r->dir, id)).failures > t->failures[i])
            continue;
        char tag[64];
        snprintf(tag, sizeof tag, "silent-%ld-%d", (long)getpid(), round);
        const struct attempt_failure f = {
            .tag = tag, .reason = "the attempt left neither a result nor a reason"};
        if (attempt_fail(r->dir, id, &f, e) != 0)
            return -1;
    }
    return 0;
}

/* Was a case timed? Its speed-up needs the record of the node. */
static bool needs_node(const struct unit_result *u)
{
    for (unsigned i = 0; i < u->cases_count; i++)
        if (u->cases[i].launch_index >= 0 && u->cases[i].samples_count > 0)
            return true;
    return false;
}

/* When the record of a node is lost, the units that were timed there run again and measure the node
 * again: their old times and a new record would belong to different moments. */
static int redo_without_node(const struct run *r, const struct results *res, struct err *e)
{
    int redone = 0, rc = 0;
    if (r->plan->sweep)
        return 0; /* has no speed-ups and needs no records */
    for (unsigned i = 0; i < res->unit_count && rc == 0; i++) {
        const struct unit_result *u = res->unit[i];
        if (!u || r->plan->units[i].preset || !needs_node(u) || results_node(res, u))
            continue;
        OWNED char *why =
            xasprintf("the record of node %s is lost, and with it what the times of %s "
                      "mean",
                      u->host, u->unit_id);
        rc = results_redo(r, i, why, e);
        if (!redone++)
            term_print(stderr, 2, "paragrade: %s; such units run again\n", why);
    }
    return rc == 0 ? redone : -1;
}

/* Move aside the results that cannot be used, and then those that are to become better. Returns 1
 * when there were some: their units run again. */
static int mend_results(const struct run *r, bool quiet, struct err *e)
{
    FREED_BY(results_free) struct results res = {0};
    struct err why = ERR_INIT;
    int rc = results_collect(r, false, &res, &why);
    if (rc < 0)
        *e = why;
    else if (rc > 0)
        term_print(stderr, 2, "paragrade: %s\n", why.text);
    if (rc >= 0) {
        int redone = redo_without_node(r, &res, e);
        rc = redone < 0 ? -1 : redone > 0 ? 1 : rc;
    }
    if (rc == 0)
        rc = again_choose(r, &res, e);
    if (rc > 0 && !quiet)
        term_print(stderr, 2, "%d %s timed further, because times are not confirmed yet\n", rc,
                   plural((unsigned)rc, "unit is", "units are"));
    /* What runs again is graded by the grader of today. */
    if (rc > 0 && tools_note(r, "", e) != 0)
        rc = -1;
    return rc;
}

static bool has_all_results(const struct run *r)
{
    for (unsigned i = 0; i < r->plan->units_count; i++)
        if (!r->plan->units[i].preset && !attempt_has_result(r->dir, r->plan->units[i].id))
            return false;
    return true;
}

static int rounds(const struct run *r, const struct executor *x, const struct execute_options *o,
                  const struct resume_options *s, struct err *e)
{
    /* The bound is never met on a sound file system. It ends the loop on one that loses the records
     * of failures. */
    int last = r->assignment->submit.retries + 10;
    for (int round = 0; round < last; round++) {
        struct todo t;
        todo_make(r, s, &t);
        bool complete = t.count == 0;
        int rc;
        if (complete)
            rc = mend_results(r, o->quiet, e);
        else
            rc = execute_stop ? 1 : x->execute(r, o, t.unit, t.count, e);
        if (!complete && rc == 0)
            rc = record_silent(r, s, &t, round, e);
        todo_free(&t);
        /* 1 from mend_results(): there are units to run again. */
        if (complete ? rc <= 0 : rc != 0)
            return rc;
    }
    return 0;
}

struct resume_options execute_stored_options(const struct execute_options *o)
{
    return (struct resume_options){
        .slurm = o->slurm, .jobs = o->jobs, .site = o->site, .given = o->given};
}

int execute_run(const struct run *r, const struct executor *x, const struct execute_options *o,
                struct err *e)
{
    const struct resume_options given = execute_stored_options(o);
    struct resume_options s;
    /* A run that has ended keeps its options: receipts cover them. */
    int rc = has_all_results(r) ? mend_results(r, o->quiet, e) : 1;
    if (rc <= 0)
        return rc;
    if (!o->from_job && resume_options_save(r, &given, e) != 0)
        return -1;
    if (resume_options_load(r->dir, &s, e) < 0)
        return -1;
    rc = rounds(r, x, o, &s, e);
    resume_options_free(&s);
    return rc;
}
