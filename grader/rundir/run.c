#include "rundir/run.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fsio.h"
#include "base/strbuf.h"
#include "rundir/paths.h"

static int check_units(const struct run *r, struct err *e)
{
    for (unsigned i = 0; i < r->plan->units_count; i++) {
        const struct unit *u = &r->plan->units[i];
        const char *dot = strrchr(u->id, '.');
        if ((unsigned)u->tier >= r->assignment->tiers_count || !dot ||
            strcmp(dot + 1, r->assignment->tiers[u->tier].name) != 0)
            return err_input(e,
                             "%s: unit %s of plan.json does not fit assignment.yaml; the files in "
                             "a run directory must not be edited",
                             r->dir, u->id);
    }
    return 0;
}

/* The assignment may name its reference by a path relative to itself, which is wrong for the copy
 * in the run directory. The snapshot of the reference takes its place. */
static void point_at_snapshot(struct run *r)
{
    for (unsigned i = 0; i < r->plan->submissions_count; i++) {
        if (r->plan->submissions[i].is_reference) {
            free(r->assignment->reference);
            r->assignment->reference = rundir_sources(r->dir, r->plan->submissions[i].id);
        }
    }
}

/* Say why there is no run in `dir`. */
static int check_directory(const char *dir, struct err *e)
{
    OWNED char *plan = rundir_plan(dir);
    bool is_run = fs_exists(plan);
    bool closed = !is_run && access(plan, F_OK) != 0 && errno == EACCES;
    if (is_run)
        return 0;
    if (closed)
        return err_input(e, "%s: permission denied; a run is open to the user who made it alone",
                         dir);
    return err_input(e,
                     fs_is_dir(dir)
                         ? "%s: is not a run directory (it has no plan.json)"
                         : "%s: no such run directory; runs lie under reports/ by default",
                     dir);
}

int run_open(const char *dir, struct run *r, struct err *e)
{
    *r = (struct run){0};
    if (check_directory(dir, e) != 0)
        return -1;
    r->dir = fs_absolute(dir);
    char *assignment = rundir_assignment(r->dir), *matrices = rundir_matrices(r->dir);
    char *kernel = rundir_kernel(r->dir);
    char *overrides = rundir_overrides(r->dir);
    if (plan_load(r->dir, &r->plan, e) != 0 ||
        assignment_load_copy(assignment, matrices, kernel, &r->assignment, e) != 0)
        goto fail;
    if (assignment_prepare(r->assignment, r->plan->sweep, plan_profile(r->plan), &r->plan->only,
                           e) != 0 ||
        check_units(r, e) != 0)
        goto fail;
    struct stat st;
    const int there = fs_lstat(overrides, &st, e);
    if (there < 0 ||
        (there == 1 && overrides_load(overrides, r->plan, r->assignment, &r->overrides, e) != 0))
        goto fail;
    point_at_snapshot(r);
    cases_make(r->assignment, r->plan->seed, &r->cases);
    free(overrides);
    free(kernel);
    free(matrices);
    free(assignment);
    return 0;
fail:
    free(overrides);
    free(kernel);
    free(matrices);
    free(assignment);
    run_close(r);
    return -1;
}

int run_reopen(struct run *r, struct err *e)
{
    OWNED char *dir = r->dir;
    r->dir = NULL;
    run_close(r);
    return run_open(dir, r, e);
}

void run_close(struct run *r)
{
    overrides_free(&r->overrides);
    case_list_free(&r->cases);
    assignment_free(r->assignment);
    plan_free(r->plan);
    free(r->dir);
    *r = (struct run){0};
}
