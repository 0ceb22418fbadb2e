#include <stdio.h>

#include "base/clock.h"
#include "base/strbuf.h"
#include "base/term.h"
#include "cmd/execute_options.h"
#include "cmd/locate.h"
#include "cmd/options.h"
#include "cmd/pipeline.h"
#include "execute/stop.h"
#include "rundir/resume_options.h"

enum {
    /* A front end signs its lock every few seconds. A lock on another node counts as abandoned when
     * it has not been signed for two minutes. */
    LOCK_WAIT_MS = 150000,
    LOCK_POLL_MS = 2000,
};

/* When the report job starts, a front end may still have the lock. If it is alive, the job leaves
 * the run to it: the front end cancels the job when all units have ended, and unlocks the run after
 * that. If it was killed, the job waits until its lock counts as abandoned. */
static int run_from_job(const char *dir, const struct execute_options *o,
                        struct pipeline_outcome *out, struct err *e)
{
    for (int waited = 0;; waited += LOCK_POLL_MS) {
        int rc = pipeline_run(dir, o, VIEW_CLASS, out, e);
        if (rc != 0 || !out->busy || waited >= LOCK_WAIT_MS)
            return rc;
        clock_sleep_ms(LOCK_POLL_MS);
        if (execute_stop)
            return rc;
    }
}

/* Absolute directory of the run with that name; NULL with e when there is none. */
static char *find_run(const char *name, struct err *e)
{
    FREED_BY(run_close) struct run r = {0};
    if (locate_run(name, &r, e) != 0)
        return NULL;
    return xstrdup(r.dir);
}

static int run(const struct options *given)
{
    struct execute_options options, *o = &options;
    struct err e = ERR_INIT;
    FREED_BY(resume_options_free) struct resume_options before = {0};
    struct pipeline_outcome out = {0};
    int rc, status;
    OWNED char *dir = find_run(given->run_name, &e);
    if (!dir)
        return command_error(&cmd_resume, &e);
    rc = execute_options_adopt(given, dir, &before, o, &e);
    if (rc == 0)
        rc = o->from_job ? run_from_job(dir, o, &out, &e)
                         : pipeline_run(dir, o, given->json ? VIEW_JSON : VIEW_CLASS, &out, &e);
    if (rc == 0 && out.busy && o->from_job) {
        term_print(stderr, 2, "%s: left to it\n", e.text);
        status = EXIT_OK;
    } else if (rc != 0 || out.busy) {
        status = command_error(&cmd_resume, &e);
    } else {
        status = pipeline_status(&out, o, dir);
    }
    execute_options_free(o);
    return status;
}

const struct command cmd_resume = {
    .name = "resume",
    .usage = "resume [options] [RUN]",
    .summary = "continue an interrupted run; run units again that were lost",
    .about = "Runs all units that have no result yet. Results that exist stay as they are.\n"
             "Jobs that are still in Slurm are not submitted again: the command waits for\n"
             "them. The options of the last start apply, unless you give other ones.\n",
    .more = "example:\n"
            "  paragrade resume reports/gemm-i32-20261121-042206\n",
    .bit = on_resume,
    .runs = RUNS_OF_REPORTS,
    .most = 1,
    .check = execute_options_check,
    .run = run,
};
