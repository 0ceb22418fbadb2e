#include "cmd/new_run.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/display_path.h"
#include "base/fsio.h"
#include "base/plural.h"
#include "base/strbuf.h"
#include "base/term.h"
#include "cmd/execute_options.h"
#include "cmd/full_disk.h"
#include "cmd/locate.h"
#include "cmd/pipeline.h"
#include "execute/execute.h"
#include "execute/forecast.h"
#include "rundir/run.h"
#include "slurm/dry_run.h"
#include "slurm/query.h"

enum { ABSENT_SHOWN = 5 };

/* names: one a line. */
static void print_absent(const char *names)
{
    size_t count = 0;
    for (const char *p = names; (p = strchr(p, '\n')); p++)
        count++;
    if (!count)
        return;
    FREED_BY(strbuf_free) struct strbuf some = STRBUF_INIT;
    for (size_t i = 0; i < count && i < ABSENT_SHOWN; i++) {
        const int n = (int)strcspn(names, "\n");
        strbuf_addf(&some, "%s%.*s", i ? ", " : "", n, names);
        names += n + 1;
    }
    term_print(stderr, 2, "%zu %s of the roster without a directory, reported as missing: %s%s\n",
               count, plural(count, "student", "students"), some.s,
               count > ABSENT_SHOWN ? ", ..." : "");
}

static void announce(const char *dir, const struct strbuf *notes, const struct strbuf *absent,
                     bool quiet)
{
    OWNED char *path = display_path(dir);
    term_print(stderr, 2, "%s", notes->s);
    if (!quiet) {
        print_absent(absent->s);
        term_print(stderr, 2, "run directory: %s\n", path);
        term_print_command(stderr, 2, "if interrupted: paragrade resume %s\n", path);
    }
    fflush(stderr);
}

/* Plan the run in a directory of its own, which is removed again, and print what it would ask for.
 */
static int dry_run(const struct execute_options *x, const struct plan_request *plan, struct err *e)
{
    struct plan_request apart = *plan;
    struct run run;
    OWNED char *top = xasprintf("%s/paragrade-dry-XXXXXX", fs_tmpdir());
    OWNED char *dir = NULL;
    if (!mkdtemp(top)) {
        err_system(e, "%s: cannot create a directory: %s", top, strerror(errno));
        return -1;
    }
    apart.reports_dir = top;
    int rc = plan_create(&apart, &dir, e);
    if (rc == 0)
        rc = run_open(dir, &run, e);
    if (rc == 0) {
        OWNED char *shown = xasprintf("%s/%s", plan->reports_dir, run.plan->run_id);
        OWNED char *absolute = fs_absolute(shown);
        term_print(stderr, 2, "%s", plan->notes->s);
        FREED_BY(forecast_free) struct forecast earlier = {0};
        forecast_make(&run, plan->reports_dir, &earlier);
        if (x->slurm)
            rc = slurm_dry_run(&run, x, absolute, &earlier, stdout, e);
        else
            forecast_print_local(&run, &earlier, x->jobs, stdout);
        run_close(&run);
    }
    fs_remove_tree(top, NULL);
    return rc;
}

/* *status: the exit status; -1 with e: there is no run, or another process has its lock. */
static int run_planned(const struct options *o, const struct execute_options *x,
                       struct plan_request plan, int *status, struct err *e)
{
    const struct resume_options execution = execute_stored_options(x);
    struct pipeline_outcome outcome;
    struct progress progress;
    char *dir = NULL;
    plan.here = !x->slurm;
    plan.execution = &execution;
    if (x->slurm && slurm_check_cluster(e) != 0)
        return -1;
    if (o->dry_run) {
        *status = EXIT_OK;
        return dry_run(x, &plan, e);
    }
    progress_start(&progress, 0, x->quiet);
    progress.hold_ns = TERM_HOLD_NS;
    plan.progress = &progress;
    int rc = plan_create(&plan, &dir, e);
    progress_end(&progress);
    if (rc != 0) {
        full_disk_hint(e, NULL);
        return rc;
    }
    announce(dir, plan.notes, plan.absent, x->quiet);
    rc = pipeline_run(dir, x, o->json ? VIEW_JSON : VIEW_CLASS, &outcome, e);
    if (rc == 0 && outcome.busy)
        rc = -1;
    if (rc == 0)
        *status = pipeline_status(&outcome, x, dir);
    free(dir);
    return rc;
}

int new_run(const struct options *o, struct plan_request plan)
{
    struct err e = ERR_INIT;
    FREED_BY(execute_options_free) struct execute_options x = {0};
    FREED_BY(strbuf_free) struct strbuf notes = STRBUF_INIT, absent = STRBUF_INIT;
    OWNED char *assignment = NULL;
    int status = EXIT_OK;
    plan.assignment = o->assignment;
    plan.profile = o->profile;
    plan.run_id = o->run_id;
    plan.reports_dir = o->reports;
    plan.paths = o->operand;
    plan.paths_count = o->operands;
    plan.notes = &notes;
    plan.absent = &absent;
    int rc = execute_options_make(o, &x, &e);
    if (rc == 0 && !plan.assignment) {
        rc = locate_assignment(&assignment, &e);
        plan.assignment = assignment;
    }
    if (rc == 0)
        rc = run_planned(o, &x, plan, &status, &e);
    return rc == 0 ? status : command_error(o->command, &e);
}
