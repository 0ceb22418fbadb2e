#include "execute/executor.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/install.h"
#include "base/strbuf.h"
#include "rundir/attempts.h"
#include "rundir/results.h"
#include "rundir/resume_options.h"

volatile int execute_stop;

static void on_signal(int sig)
{
    execute_stop = sig;
}

void execute_catch_signals(void)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++) {
        struct sigaction old, new = {.sa_handler = on_signal, .sa_flags = SA_RESETHAND};
        sigemptyset(&new.sa_mask);
        /* Ignored by the parent (nohup): stays ignored. */
        if (sigaction(signals[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN)
            sigaction(signals[i], &new, NULL);
    }
}

char *execute_proctor(void)
{
    const char *fake = getenv("PARAGRADE_PROCTOR");
    return fake && *fake ? xstrdup(fake) : install_path("libexec/paragrade/proctor");
}

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
        const struct attempt_count all = attempt_failures(r->dir, u->id);
        struct attempt_count c = resume_options_count(s, u->id, all);
        /* A doubt is settled even where nothing is to be retried: who kills himself must not get
         * away with no verdict. */
        int most = r->assignment->submit.retries + (all.unexplained > 0);
        if (c.cancelled > 0 || c.failures > most)
            continue;
        t->unit[t->count] = (int)i;
        t->failures[t->count++] = c.failures;
    }
}

/* Whatever an executor overlooked counts as a failure too, else a round could repeat for ever. */
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

/* Was something timed, whose speed-up then needs the record of the node? */
static bool needs_node(const struct unit_result *u)
{
    for (unsigned i = 0; i < u->cases_count; i++)
        if (u->cases[i].launch_index >= 0 && u->cases[i].seconds.n > 0)
            return true;
    return false;
}

/* A node whose record was lost is measured again, by the units that were timed there: what was
 * measured then and what would be measured now belong to different moments. */
static int redo_without_node(const struct run *r, const struct results *res, struct err *e)
{
    int redone = 0, rc = 0;
    if (r->plan->sweep)
        return 0; /* no speed-ups, no records: what counts is which point is faster */
    for (unsigned i = 0; i < res->unit_count && rc == 0; i++) {
        const struct unit_result *u = res->unit[i];
        if (!u || r->plan->units[i].preset || !needs_node(u) || results_node(res, u))
            continue;
        char *why = xasprintf("the record of node %s is lost, and with it what the times of %s "
                              "mean",
                              u->host, u->unit_id);
        rc = results_redo(r, i, why, e);
        if (!redone++)
            fprintf(stderr, "paragrade: %s; such units run again\n", why);
        free(why);
    }
    return rc == 0 ? redone : -1;
}

/* Results that cannot be read are moved aside and made again. Returns 1 when there were some. */
static int damaged_results(const struct run *r, struct err *e)
{
    struct results res = {0};
    struct err why = ERR_INIT;
    int rc = results_collect(r, false, &res, &why);
    if (rc < 0)
        *e = why;
    else if (rc > 0)
        fprintf(stderr, "paragrade: %s\n", why.text);
    if (rc >= 0) {
        int redone = redo_without_node(r, &res, e);
        rc = redone < 0 ? -1 : redone > 0 ? 1 : rc;
    }
    results_free(&res);
    return rc;
}

static int rounds(const struct run *r, const struct execute_options *o,
                  const struct resume_options *s, struct err *e)
{
    const struct executor *x = o->slurm ? &executor_slurm : &executor_local;
    /* The bound is never met: it stands against a file system on which records do not stay. */
    int last = r->assignment->submit.retries + 10;
    for (int round = 0; round < last; round++) {
        struct todo t = {0};
        todo_make(r, s, &t);
        int rc = 0;
        if (!t.count) {
            rc = damaged_results(r, e);
            if (rc <= 0)
                round = last;
        } else if (execute_stop) {
            rc = 1;
            round = last;
        } else {
            rc = x->execute(r, o, t.unit, t.count, e);
            if (rc == 0)
                rc = record_silent(r, s, &t, round, e);
            if (rc != 0)
                round = last;
        }
        todo_free(&t);
        if (round == last)
            return rc;
    }
    return 0;
}

int execute_run(const struct run *r, const struct execute_options *o, struct err *e)
{
    struct resume_options s;
    if (!o->from_job && resume_options_save(r, o, e) != 0)
        return -1;
    if (resume_options_load(r->dir, &s, e) < 0)
        return -1;
    int rc = rounds(r, o, &s, e);
    resume_options_free(&s);
    return rc;
}
