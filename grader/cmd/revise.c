#include "cmd/revise.h"

#include <stdio.h>

#include "base/display_path.h"
#include "base/strbuf.h"
#include "base/term.h"
#include "cmd/command.h"
#include "cmd/locate.h"
#include "cmd/lock_run.h"
#include "execute/execute.h"
#include "rundir/lock.h"
#include "rundir/results.h"
#include "slurm/array.h"
#include "slurm/query.h"

/* Has every unit a result, or used up its attempts? Then no job has work left. */
static bool all_is_over(const struct run *r)
{
    FREED_BY(results_free) struct results res = {0};
    results_read(r, &res, NULL, NULL);
    results_end(r, &res);
    return results_left(&res) == 0;
}

int revise_check_jobs(const struct run *r, bool changes, struct err *e)
{
    struct slurm_jobs jobs;
    FREED_BY(slurm_list_free) struct slurm_list queue = {0};
    FREED_BY(strbuf_free) struct strbuf names = STRBUF_INIT;
    char why[SLURM_WHY];
    int rc = slurm_jobs_load(r->dir, r->plan, &jobs, e);
    if (rc != 0)
        return -1;
    for (unsigned i = 0; i < jobs.count; i++)
        strbuf_addf(&names, "%s%s", names.len ? "," : "", jobs.item[i].name);
    if (names.len && slurm_queue(names.s, &queue, why) != SLURM_ANSWERED)
        rc = !changes || all_is_over(r)
                 ? 0
                 : err_system(e,
                              "%s: Slurm does not say whether jobs of this run are in the queue "
                              "(%s), and some units have no result; try again later",
                              r->dir, why);
    else if (queue.count)
        rc = err_input(e,
                       "%s: jobs of this run are in Slurm's queue (job %ld): wait until they "
                       "have ended (paragrade status shows them), or cancel them with scancel",
                       r->dir, queue.item[0].job);
    slurm_jobs_free(&jobs);
    return rc;
}

static int check_kind(const struct run *r, struct err *e)
{
    if (r->plan->sweep || r->plan->self_test)
        return err_input(e, "%s: is a %s, which has no grades; run it again with `paragrade %s`",
                         r->dir, r->plan->sweep ? "sweep" : "self-test",
                         r->plan->sweep ? "sweep" : "check");
    return 0;
}

int revise_open(const char *name, struct run *r, struct err *e)
{
    if (locate_run(name, r, e) != 0)
        return -1;
    int rc = check_kind(r, e);
    if (rc == 0)
        rc = lock_run(r->dir, e);
    if (rc != 0) {
        run_close(r);
        return -1;
    }
    OWNED char *dir = xstrdup(r->dir);
    rc = run_reopen(r, e);
    if (rc == 0 && revise_check_jobs(r, true, e) != 0) {
        run_close(r);
        rc = -1;
    }
    if (rc != 0)
        run_unlock(dir);
    return rc;
}

void revise_close(struct run *r)
{
    if (r->dir)
        run_unlock(r->dir);
    run_close(r);
}

int revise_stopped(const char *dir)
{
    OWNED char *path = display_path(dir);
    term_print(stderr, 2, "stopped; nothing was changed in %s\n", path);
    return EXIT_UNFINISHED;
}
