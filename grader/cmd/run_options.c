#include "cmd/run_options.h"
#include "base/display_path.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/strbuf.h"
#include "cmd/locate.h"
#include "cmd/pipeline.h"
#include "slurm/query.h"

void run_options_init(struct run_options *n)
{
    *n = (struct run_options){.plan = {.reports_dir = "reports"}};
    execute_args_init(&n->run);
}

void run_options_free(struct run_options *n)
{
    free(n->chosen);
    free(n->assignment);
}

int run_options_take(struct run_options *n, int opt, char *value, struct err *e)
{
    switch (opt) {
    case 'a':
        n->plan.assignment = value;
        return 0;
    case 'p':
        n->plan.profile = value;
        return 0;
    case 'i':
        n->plan.run_id = value;
        return 0;
    case 'o':
        n->plan.reports_dir = value;
        return 0;
    case 'R':
        n->reference_only = true;
        return 0;
    default:
        return execute_args_take(&n->run, opt, value, e);
    }
}

void run_options_choose(struct run_options *n, char *name)
{
    n->chosen = xrealloc_array(n->chosen, n->plan.tiers_count + 1, sizeof *n->chosen);
    n->chosen[n->plan.tiers_count++] = name;
    n->plan.tiers = n->chosen;
}

static void say_where(const char *dir, const struct strbuf *notes, bool quiet)
{
    char *path = display_path(dir);
    fputs(notes->s, stderr);
    if (!quiet)
        fprintf(stderr, "run directory: %s\nif interrupted: paragrade resume %s\n", path, path);
    fflush(stderr);
    free(path);
}

int run_options_drive(struct run_options *n, int *status, struct err *e)
{
    const struct execute_options *o = &n->run.options;
    struct strbuf notes = STRBUF_INIT;
    struct pipeline_outcome out = {0};
    char *dir = NULL;
    int rc = 0;
    n->plan.here = !o->slurm;
    n->plan.notes = &notes;
    if (!n->plan.assignment) {
        rc = locate_assignment(&n->assignment, e);
        n->plan.assignment = n->assignment;
    }
    if (rc == 0 && o->slurm)
        rc = slurm_check_cluster(e);
    if (rc == 0)
        rc = plan_create(&n->plan, &dir, e);
    if (rc == 0) {
        say_where(dir, &notes, o->quiet);
        rc = pipeline_run(dir, o, n->run.json ? VIEW_JSON : VIEW_CLASS, &out, e);
    }
    if (rc == 0 && out.busy)
        rc = -1;
    if (rc == 0)
        *status = pipeline_status(&out, o, dir);
    n->plan.notes = NULL;
    strbuf_free(&notes);
    free(dir);
    return rc;
}
