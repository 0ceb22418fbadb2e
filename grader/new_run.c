#include "new_run.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/strbuf.h"
#include "drive.h"
#include "locate.h"
#include "slurm_query.h"

void new_run_init(struct new_run *n)
{
    *n = (struct new_run){.plan = {.reports_dir = "reports"}};
    execute_args_init(&n->run);
}

void new_run_free(struct new_run *n)
{
    free(n->chosen);
    free(n->assignment);
}

int new_run_take(struct new_run *n, int opt, char *value, struct err *e)
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

void new_run_choose(struct new_run *n, char *name)
{
    n->chosen = xrealloc_array(n->chosen, n->plan.tiers_count + 1, sizeof *n->chosen);
    n->chosen[n->plan.tiers_count++] = name;
    n->plan.tiers = n->chosen;
}

static void say_where(const char *dir, const struct strbuf *notes, bool quiet)
{
    char *path = locate_shown(dir);
    fputs(notes->s, stderr);
    if (!quiet)
        fprintf(stderr, "run directory: %s\nif interrupted: paragrade resume %s\n", path, path);
    fflush(stderr);
    free(path);
}

int new_run_drive(struct new_run *n, int *status, struct err *e)
{
    const struct execute_options *o = &n->run.options;
    struct strbuf notes = STRBUF_INIT;
    struct drive_outcome out = {0};
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
        rc = drive_run(dir, o, n->run.json ? VIEW_JSON : VIEW_CLASS, &out, e);
    }
    if (rc == 0 && out.busy)
        rc = -1;
    if (rc == 0)
        *status = drive_status(&out, o, dir);
    n->plan.notes = NULL;
    strbuf_free(&notes);
    free(dir);
    return rc;
}
