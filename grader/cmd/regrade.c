#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/plural.h"
#include "base/proc.h"
#include "base/strbuf.h"
#include "base/term.h"
#include "cmd/execute_options.h"
#include "cmd/moves.h"
#include "cmd/options.h"
#include "cmd/pipeline.h"
#include "cmd/revise.h"
#include "execute/proctor_program.h"
#include "execute/stop.h"
#include "plan/regrade.h"
#include "report/late_marks.h"
#include "rundir/revision.h"
#include "slurm/query.h"

struct regrade_args {
    const struct options *given;
    struct execute_options execute;
};

enum { UNITS_SHOWN = 12 };

/* The units that run again: one line for each reason. */
static void print_changes(const struct regrade_plan *p)
{
    OWNED bool *told = xcalloc(p->changes + 1, sizeof *told);
    for (size_t i = 0; i < p->changes; i++) {
        FREED_BY(strbuf_free) struct strbuf units = STRBUF_INIT;
        size_t n = 0;
        for (size_t k = i; k < p->changes; k++) {
            if (told[k] || strcmp(p->change[k].why, p->change[i].why) != 0)
                continue;
            told[k] = true;
            if (n++ < UNITS_SHOWN)
                strbuf_addf(&units, " %s", p->change[k].unit);
        }
        if (n > UNITS_SHOWN)
            strbuf_addf(&units, " and %zu more", n - UNITS_SHOWN);
        if (units.len)
            term_print(stderr, 2, "%s:%s\n", p->change[i].why, units.s);
    }
    term_print(stderr, 2, "%zu %s again, %zu %s\n", p->again,
               plural(p->again, "unit runs", "units run"), p->kept,
               plural(p->kept, "keeps its result", "keep their results"));
}

/* Whose points are others than before, and whose late marks contradict their times. */
static void print_moves(const struct run *r, const struct standings *was,
                        const struct standings *is)
{
    OWNED char *late = late_marks(r);
    moves_print(was, is, stdout);
    term_print(stdout, 2, "%s", late);
}

static size_t submissions_of(const struct standings *s)
{
    size_t n = 0;
    for (size_t i = 0; i < s->count; i++)
        n += !s->item[i].unit;
    return n;
}

/* Whose points would change, as far as results are there. */
static int print_points(const char *draft, struct standings *was, struct err *e)
{
    FREED_BY(standings_free) struct standings is = {0};
    FREED_BY(run_close) struct run r = {0};
    if (run_open(draft, &r, e) != 0)
        return -1;
    standings_take(&r, &is);
    const size_t all = submissions_of(&is);
    standings_keep_known(was, &is);
    const size_t open = all - submissions_of(&is);
    print_moves(&r, was, &is);
    if (open)
        term_print(stdout, 2, "%zu more %s known only after units have run again\n", open,
                   plural(open, "is", "are"));
    return 0;
}

enum change {
    CHANGE_FAILED = -1, /* with e */
    CHANGE_NONE,        /* there is nothing to do */
    CHANGE_STOPPED,     /* the user stopped it: the run is as it was */
    CHANGE_MADE,        /* the units can run */
};

/* What --only and --tier ask for together: "student.tier" for each pair. The caller frees it. */
static struct words asked_for(const struct options *o, const struct run *r)
{
    struct words all = {0};
    const size_t students = o->only.count ? o->only.count : r->plan->submissions_count;
    all.item = xcalloc(students * (o->tiers.count + 1) + 1, sizeof *all.item);
    for (size_t s = 0; s < students && (o->only.count || o->tiers.count); s++) {
        if (!o->only.count && r->plan->submissions[s].is_reference)
            continue;
        const char *who = o->only.count ? o->only.item[s] : r->plan->submissions[s].id;
        if (!o->tiers.count)
            all.item[all.count++] = xstrdup(who);
        for (size_t t = 0; t < o->tiers.count; t++)
            all.item[all.count++] = xasprintf("%s.%s", who, o->tiers.item[t]);
    }
    return all;
}

/* With --dry-run, the standings `was` are cut to what is known. */
static enum change change(const struct regrade_args *a, const struct run *r, struct standings *was,
                          struct err *e)
{
    FREED_BY(strbuf_free) struct strbuf notes = STRBUF_INIT;
    FREED_BY(regrade_plan_free) struct regrade_plan p = {0};
    OWNED_TEXTS char **prefix = execute_prefix(&a->execute.site, e);
    if (!prefix)
        return CHANGE_FAILED;
    struct progress progress;
    progress_start(&progress, 0, a->execute.quiet);
    progress.hold_ns = TERM_HOLD_NS;
    const struct words only = asked_for(a->given, r);
    const struct regrade_request req = {
        .old = r,
        .assignment = a->given->assignment,
        .dirs = a->given->operand,
        .dirs_count = a->given->operands,
        .only = only.item,
        .only_count = only.count,
        .overrides = a->given->overrides,
        .prefix = prefix,
        .here = !a->execute.slurm,
        .notes = &notes,
        .progress = &progress,
        .stop = &execute_stop,
    };
    const int rc = regrade_make(&req, &p, e);
    progress_end(&progress);
    texts_free(only.item, (unsigned)only.count);
    term_print(stderr, 2, "%s", notes.s);
    enum change made = rc < 0 ? CHANGE_FAILED : rc > 0 ? CHANGE_STOPPED : CHANGE_NONE;
    if (rc == 0) {
        const bool same = !p.changes && !p.policy, stopped = execute_stop != 0;
        if (same)
            term_print(stderr, 2,
                       "nothing has changed: sources, assignment, reference and toolchain are "
                       "those of the run. --only runs units again all the same\n");
        else if (!a->execute.quiet || a->given->dry_run)
            print_changes(&p);
        if (a->given->dry_run && !same && !stopped && print_points(p.draft, was, e) != 0)
            made = CHANGE_FAILED;
        if (stopped)
            made = CHANGE_STOPPED;
        else if (!same && !a->given->dry_run)
            made = revision_commit(r->dir, p.draft, e) == 0 ? CHANGE_MADE : CHANGE_FAILED;
        if (made == CHANGE_NONE || made == CHANGE_STOPPED || a->given->dry_run)
            revision_abandon(p.draft);
    }
    return made;
}

static int run_again(const struct regrade_args *a, const char *dir, const struct standings *was,
                     int *status, struct err *e)
{
    const struct execute_options *o = &a->execute;
    struct pipeline_outcome out;
    struct standings is;
    struct run r;
    if (pipeline_run(dir, o, a->given->json ? VIEW_JSON : VIEW_NONE, &out, e) != 0 || out.busy)
        return -1;
    if (!out.unfinished && !a->given->json && run_open(dir, &r, e) == 0) {
        standings_take(&r, &is);
        print_moves(&r, was, &is);
        standings_free(&is);
        run_close(&r);
    }
    *status = pipeline_status(&out, o, dir);
    return 0;
}

static int regrade(struct regrade_args *a, int *status, struct err *e)
{
    FREED_BY(resume_options_free) struct resume_options before = {0};
    FREED_BY(standings_free) struct standings was = {0};
    struct run r;
    if (revise_open(a->given->run_name, &r, e) != 0)
        return -1;
    OWNED char *dir = xstrdup(r.dir);
    int rc = execute_options_adopt(a->given, dir, &before, &a->execute, e);
    if (rc == 0 && a->execute.slurm && !a->given->dry_run)
        rc = slurm_check_cluster(e);
    enum change made = CHANGE_FAILED;
    if (rc == 0) {
        standings_take(&r, &was);
        made = change(a, &r, &was, e);
        rc = made == CHANGE_FAILED ? -1 : 0;
    }
    *status = made == CHANGE_STOPPED ? revise_stopped(dir) : EXIT_OK;
    if (made == CHANGE_MADE) {
        run_close(&r); /* still locked: nobody else begins with it */
        rc = run_again(a, dir, &was, status, e);
    } else {
        revise_close(&r);
    }
    execute_options_free(&a->execute);
    return rc;
}

static int run(const struct options *o)
{
    struct regrade_args a = {.given = o};
    struct err e = ERR_INIT;
    int status;
    if (o->tiers.count && !o->only.count && o->operands)
        return command_usage(&cmd_regrade, "with --tier, name the students with --only");
    return regrade(&a, &status, &e) == 0 ? status : command_error(&cmd_regrade, &e);
}

const struct command cmd_regrade = {
    .name = "regrade",
    .usage = "regrade [options] [RUN [DIR...]]",
    .summary = "grade again what has changed since; list the changes",
    .about = "Compares sources, assignment, reference, compilers and grader with those of the\n"
             "run. Units that depend on something that has changed run again; all others keep\n"
             "their results. Nobody becomes missing: the roster of the run still applies, and\n"
             "a student whose directory is gone keeps the sources in the run.\n"
             "\n"
             "DIR is a submission or a directory of submissions. With DIR or --only, only\n"
             "these submissions are looked at; assignment and reference stay as they are in\n"
             "the run. Without DIR, submissions are looked for where they were.\n",
    .more = "Without options for Slurm, units run as in the run before (--local: on this\n"
            "machine). What was replaced stays in RUN/earlier/.\n"
            "\n"
            "examples:\n"
            "  paragrade regrade --dry-run gemm-i32-20261121-101500\n"
            "  paragrade regrade --only alice.openmp gemm-i32-20261121-101500\n"
            "  paragrade regrade --tier mpi gemm-i32-20261121-101500\n"
            "  paragrade regrade gemm-i32-20261121-101500 late/alice\n"
            "\n"
            "exit status: 0 graded (whatever the verdicts) or nothing to do, 1 units without\n"
            "a verdict or a failing reference, 2 bad input, 3 interrupted: before the first\n"
            "unit runs, nothing is changed\n",
    .bit = on_regrade,
    .runs = RUNS_OF_REPORTS,
    .most = OPERANDS_MANY, /* what follows the run are submissions */
    .check = execute_options_check,
    .run = run,
};
