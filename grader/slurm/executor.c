/*
 * Units through Slurm, one job array for equal resources. The elements of an array share its units
 * (rundir/claim.h).
 *
 * What is on disk is the truth. Before sbatch, the array's record says which units it holds; after
 * it, under which number; so a process that dies at any point leaves enough for the next one to
 * find its jobs by name and go on. A unit is done when its result file is there, whatever Slurm
 * says. Slurm is asked only
 *
 *   - what is still in the queue: one query for all jobs, at most every submit.poll_ms, less often
 *     while nobody answers. If nobody answers, no element counts as gone;
 *   - what became of an element that has left the queue for good without a result: one query for
 *     all of them. The answer goes into the record of the failed attempt; the next round sends the
 *     unit to another node. If nobody answers this question three times, the attempt has failed for
 *     an unknown reason (slurm/lost.c).
 *
 * A report job that depends on the arrays takes over when this process is gone (`paragrade resume
 * --from-job`). While this process lives it holds the run's lock, and the report job gives way.
 */
#include "slurm/executor.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/display_path.h"
#include "base/fsio.h"
#include "base/install.h"
#include "base/plural.h"
#include "base/proc.h"
#include "base/strbuf.h"
#include "base/term.h"
#include "execute/proctor_program.h"
#include "execute/stop.h"
#include "rundir/lock.h"
#include "rundir/paths.h"
#include "slurm/query.h"
#include "slurm/report_job.h"
#include "slurm/send.h"
#include "slurm/watch.h"

/* Tell people which jobs go on after this process, and what they can do with them. After an error
 * (`failed`) also those who want no progress: they would not expect any jobs. */
static void say_left_behind(const struct slurm_work *s, bool failed)
{
    FREED_BY(strbuf_free) struct strbuf ids = STRBUF_INIT;
    unsigned units = 0;
    long last = 0;
    for (unsigned i = 0; i < s->tracked.count; i++) {
        if (s->tracked.item[i].over || s->tracked.item[i].left)
            continue;
        units++;
        if (s->tracked.item[i].job != last)
            strbuf_addf(&ids, " %ld", s->tracked.item[i].job);
        last = s->tracked.item[i].job;
    }
    if (s->report.job >= 0)
        strbuf_addf(&ids, " %ld", s->jobs.item[s->report.job].job);
    OWNED char *path = display_path(s->in->r->dir);
    if (units && (failed || !s->in->o->quiet))
        term_print(
            stderr, 4,
            "%u %s on in Slurm%s.\n"
            "  how far:       paragrade status %s\n"
            "  wait for them: paragrade resume %s%s\n"
            "  end them:      scancel%s\n",
            units, plural(units, "unit goes", "units go"),
            s->report.job >= 0 ? "; a job that waits for them writes the reports" : "", path, path,
            failed ? " (first correct the error below; if a disk is full, free space)" : "", ids.s);
}

/* Plan arrays for those of the units that are in none, or that their array has left. 1: told to
 * stop. */
static int plan_submissions(struct slurm_work *s, const int *units, unsigned count, struct err *e)
{
    OWNED int *fresh = xcalloc(count + 1, sizeof *fresh);
    unsigned n = 0;
    for (unsigned i = 0; i < count; i++)
        if (tracking_needs_array(&s->tracked, units[i]))
            fresh[n++] = units[i];
    const struct slurm_units to_submit = {.index = fresh, .count = n};
    slurm_groups_free(&s->arrays.groups);
    free(s->arrays.taken);
    slurm_groups_make(s->in->r->assignment, s->in->r->plan, &to_submit, &s->in->layers,
                      &s->arrays.groups);
    s->arrays.taken = xcalloc(s->arrays.groups.count + 1, sizeof *s->arrays.taken);
    free(s->arrays.at_a_time);
    s->arrays.at_a_time = xcalloc(s->arrays.groups.count + 1, sizeof *s->arrays.at_a_time);
    for (unsigned i = 0; i < s->arrays.groups.count; i++)
        s->arrays.at_a_time[i] = work_at_a_time(s, &s->arrays.groups.item[i].res);
    return n ? send_learn_max_array(s, e) : 0;
}

/* Submit, check for results, ask for the queue, each when it is due, until every unit has a result
 * or a record of failure; without waiting, until every unit is in the queue. */
static int watch(struct slurm_work *s, const int *units, unsigned count, struct err *e)
{
    int rc = 0;
    while (rc == 0) {
        int step = send_some(s, e);
        if (step < 0)
            return -1;
        bool submitted = step == 1;
        if (submitted && s->report.due && tracking_all_placed(&s->tracked) &&
            !tracking_all_over(&s->tracked))
            rc = report_job_send(s, e);
        if (rc != 0)
            break;
        /* A report job that could not submit the next one stays in its place. */
        bool relieved = s->report.job >= 0 || !s->in->o->from_job || tracking_all_over(&s->tracked);
        if (submitted && !s->in->o->wait && tracking_all_placed(&s->tracked) && relieved)
            return tracking_all_over(&s->tracked) ? 0 : 1;
        if (!s->in->o->wait && s->arrays.limit_noted && s->report.job >= 0 &&
            !moment_passed(s->arrays.next_submit))
            return 1; /* the report job submits the rest */
        if (moment_passed(s->next_results))
            watch_results(s);
        watch_tell(s);
        if (submitted && tracking_all_over(&s->tracked))
            return 0;
        if (execute_stop)
            return 1;
        if (run_lock_kept(s->in->r->dir, e) != 0)
            return -1;
        if (s->tracked.count && s->arrays.unverified.job < 0 &&
            moment_passed(s->contact.next_query))
            rc = watch_queue(s, e);
        if (rc == 0 && submitted && tracking_any_left(&s->tracked))
            rc = plan_submissions(s, units, count, e);
        if (rc == 0 && (submitted || !moment_passed(s->arrays.next_submit) || s->contact.silent))
            clock_sleep_ms(WORK_TICK_MS);
    }
    return rc;
}

/* Every unit is over. Slurm may still hold elements back: after trouble on a node, it runs a job
 * again two minutes later, even one that has ended well. */
static void cancel_waiting_elements(const struct slurm_work *s)
{
    for (unsigned i = 0; i < s->jobs.count; i++) {
        const struct slurm_job *j = &s->jobs.item[i];
        if (j->is_report || !j->queued || !j->name)
            continue;
        OWNED char *id = xasprintf("%ld", j->job);
        slurm_cancel_waiting(j->name, &id, 1);
    }
}

static int prepare(struct slurm_work *s, struct err *e)
{
    const struct {
        const char *what, *path;
    } parts[] = {{"the proctor", s->in->proctor},
                 {"paragrade", s->in->paragrade},
                 {"sbatch/unit.sbatch", s->in->unit_script},
                 {"sbatch/report.sbatch", s->in->report_script}};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        if (!parts[i].path || access(parts[i].path, R_OK) != 0)
            return err_system(e,
                              "%s is missing%s%s; the installation is incomplete (make, or "
                              "make install)",
                              parts[i].what, parts[i].path ? ": " : "",
                              parts[i].path ? parts[i].path : "");
    if (strpbrk(s->in->r->dir, "\n\\"))
        return err_input(e, "the run directory's path holds a line break or a backslash, which "
                            "Slurm cannot take in the name of an output file");
    return slurm_check_commands(e) == 0 ? fs_mkdirs(s->in->dir, e) : -1;
}

static void draw(void *with, int columns, int lines, struct strbuf *out)
{
    const struct slurm_work *s = with;
    unit_grid_draw(&s->grid, stderr, columns, lines, out);
}

static int run_units(struct slurm_work *s, const int *units, unsigned count, struct err *e)
{
    int rc = prepare(s, e);
    if (rc == 0)
        rc = work_take_up(s, units, count, e);
    if (rc != 0)
        return rc;
    s->report.due = s->tracked.count && s->report.job < 0;
    rc = plan_submissions(s, units, count, e);
    return rc == 0 ? watch(s, units, count, e) : rc;
}

static int execute_slurm(const struct run *r, const struct execute_options *o, const int *units,
                         unsigned count, struct err *e)
{
    struct slurm_setup in = {
        .r = r,
        .o = o,
        .layers = {.given = &o->given, .site = &o->site},
        .dir = rundir_slurm(r->dir),
        .proctor = execute_proctor(),
        .paragrade = install_path("bin/paragrade"),
        .unit_script = install_share("sbatch/unit.sbatch"),
        .report_script = install_share("sbatch/report.sbatch"),
        .prefix = execute_prefix(&o->site, e),
    };
    int64_t poll_ms = r->assignment->submit.poll_ms;
    struct slurm_work s = {
        .in = &in,
        .arrays = {.chunk = 1000000000, .unverified = {.job = -1}},
        .report = {.job = -1},
        .contact = {.poll_ms = poll_ms < WORK_TICK_MS ? WORK_TICK_MS : poll_ms},
    };
    progress_start(&s.notes.progress, count, o->quiet);
    s.notes.progress.before = r->plan->units_count - plan_presets(r->plan) - count;
    s.notes.progress.draw = draw;
    s.notes.progress.with = &s;
    unit_grid_init(&s.grid, r, units, count);
    progress_update(&s.notes.progress, 0, "submitting");
    tracking_init(&s.tracked, r->plan->units_count);
    int rc = in.prefix ? run_units(&s, units, count, e) : -1;
    if (rc == 0) {
        cancel_waiting_elements(&s);
        report_job_cancel(&s);
    }
    progress_end(&s.notes.progress);
    if (rc != 0)
        say_left_behind(&s, rc < 0);
    notes_free(&s.notes);
    unit_grid_free(&s.grid);
    slurm_jobs_free(&s.jobs);
    slurm_groups_free(&s.arrays.groups);
    tracking_free(&s.tracked);
    announcements_free(&s.announced);
    free(s.arrays.taken);
    free(s.arrays.at_a_time);
    free(s.submitted.job);
    free(in.dir);
    free(in.proctor);
    free(in.paragrade);
    free(in.unit_script);
    free(in.report_script);
    proc_argv_free(in.prefix);
    return rc;
}

const struct executor executor_slurm = {execute_slurm};
