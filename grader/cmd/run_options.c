#include "cmd/run_options.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/display_path.h"
#include "base/fsio.h"
#include "base/plural.h"
#include "base/strbuf.h"
#include "base/term.h"
#include "cmd/command.h"
#include "cmd/locate.h"
#include "cmd/pipeline.h"
#include "execute/execute.h"
#include "rundir/run.h"
#include "slurm/dry_run.h"
#include "slurm/query.h"

void run_options_init(struct run_request *r)
{
    *r = (struct run_request){.plan = {.reports_dir = "reports"}};
    execute_options_init(&r->execute);
}

void run_options_free(struct run_request *r)
{
    free(r->names);
    free(r->assignment);
    execute_options_free(&r->execute);
}

int run_options_take(struct run_request *r, int option, char *value, struct err *e)
{
    switch (option) {
    case 'a':
        r->plan.assignment = value;
        return 0;
    case 'p':
        r->plan.profile = value;
        return 0;
    case 'i':
        r->plan.run_id = value;
        return 0;
    case 'o':
        r->plan.reports_dir = value;
        return 0;
    case 'R':
        r->reference_only = true;
        return 0;
    default:
        return execute_options_take(&r->execute, option, value, e);
    }
}

void run_options_add_name(struct run_request *r, char *name)
{
    r->names = xrealloc_array(r->names, r->plan.tiers_count + 1, sizeof *r->names);
    r->names[r->plan.tiers_count++] = name;
    r->plan.tiers = r->names;
}

enum { ABSENT_SHOWN = 5 };

/* names: one a line. */
static void print_absent(const char *names)
{
    size_t count = 0;
    for (const char *p = names; (p = strchr(p, '\n')); p++)
        count++;
    if (!count)
        return;
    struct strbuf some = STRBUF_INIT;
    for (size_t i = 0; i < count && i < ABSENT_SHOWN; i++) {
        const int n = (int)strcspn(names, "\n");
        strbuf_addf(&some, "%s%.*s", i ? ", " : "", n, names);
        names += n + 1;
    }
    term_print(stderr, 2, "%zu %s of the roster without a directory, reported as missing: %s%s\n",
               count, plural(count, "student", "students"), some.s,
               count > ABSENT_SHOWN ? ", ..." : "");
    strbuf_free(&some);
}

static void announce(const char *dir, const struct strbuf *notes, const struct strbuf *absent,
                     bool quiet)
{
    char *path = display_path(dir);
    term_print(stderr, 2, "%s", notes->s);
    if (!quiet) {
        print_absent(absent->s);
        term_print(stderr, 2, "run directory: %s\n", path);
        term_print_command(stderr, 2, "if interrupted: paragrade resume %s\n", path);
    }
    fflush(stderr);
    free(path);
}

/* Plan the run in a directory of its own, which is removed again, and print what it would ask for.
 */
static int dry_run(const struct run_request *r, const struct plan_request *plan, struct err *e)
{
    struct plan_request apart = *plan;
    struct run run;
    char *top = xasprintf("%s/paragrade-dry-XXXXXX", fs_tmpdir()), *dir = NULL;
    if (!mkdtemp(top)) {
        err_system(e, "%s: cannot create a directory: %s", top, strerror(errno));
        free(top);
        return -1;
    }
    apart.reports_dir = top;
    int rc = plan_create(&apart, &dir, e);
    if (rc == 0)
        rc = run_open(dir, &run, e);
    if (rc == 0) {
        char *shown = xasprintf("%s/%s", plan->reports_dir, run.plan->run_id);
        char *absolute = fs_absolute(shown);
        term_print(stderr, 2, "%s", plan->notes->s);
        rc = slurm_dry_run(&run, &r->execute.options, absolute, stdout, e);
        free(absolute);
        free(shown);
        run_close(&run);
    }
    fs_remove_tree(top, NULL);
    free(dir);
    free(top);
    return rc;
}

int run_options_run(struct run_request *r, char *const *dirs, size_t count, int *status,
                    struct err *e)
{
    const struct execute_options *o = &r->execute.options;
    struct resume_options execution;
    struct plan_request plan = r->plan;
    struct strbuf notes = STRBUF_INIT, absent = STRBUF_INIT;
    struct pipeline_outcome outcome;
    struct progress progress;
    char *dir = NULL;
    int rc = -1;
    if (execute_options_site(&r->execute, NULL, e) != 0)
        goto out;
    execution = execute_stored_options(o);
    plan.paths = dirs;
    plan.paths_count = count;
    plan.here = !o->slurm;
    plan.execution = &execution;
    plan.notes = &notes;
    plan.absent = &absent;
    if (!plan.assignment) {
        if (locate_assignment(&r->assignment, e) != 0)
            goto out;
        plan.assignment = r->assignment;
    }
    if (o->slurm && slurm_check_cluster(e) != 0)
        goto out;
    if (r->dry_run) {
        *status = EXIT_OK;
        rc = dry_run(r, &plan, e);
        goto out;
    }
    progress_start(&progress, 0, o->quiet);
    progress.hold_ns = TERM_HOLD_NS;
    plan.progress = &progress;
    rc = plan_create(&plan, &dir, e);
    progress_end(&progress);
    if (rc != 0)
        goto out;
    rc = -1;
    announce(dir, &notes, &absent, o->quiet);
    if (pipeline_run(dir, o, r->execute.json ? VIEW_JSON : VIEW_CLASS, &outcome, e) != 0 ||
        outcome.busy)
        goto out;
    *status = pipeline_status(&outcome, o, dir);
    rc = 0;
out:
    strbuf_free(&notes);
    strbuf_free(&absent);
    free(dir);
    return rc;
}
