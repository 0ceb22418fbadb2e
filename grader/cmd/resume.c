#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/strbuf.h"
#include "cmd/command.h"
#include "cmd/execute_options.h"
#include "cmd/locate.h"
#include "cmd/pipeline.h"
#include "rundir/resume_options.h"

enum {
    FROM_JOB = 2000,
    /* A front end that was killed on another node is taken for dead after two minutes without a
     * sign of life; a live one gives one every few seconds. */
    LOCK_WAIT_MS = 150000,
    LOCK_POLL_MS = 2000,
};

/* Go on as the run was started, except where the command line says otherwise. */
static int adopt_options(struct execute_args *a, const char *dir, struct resume_options *s,
                         struct err *e)
{
    struct execute_options *o = &a->options;
    if (resume_options_load(dir, s, e) < 0)
        return -1;
    if (!a->slurm_given)
        o->slurm = s->slurm;
    if (!a->jobs_given && s->jobs > 0)
        o->jobs = s->jobs;
    if (!o->slurm)
        return 0;
    if (!o->partition)
        o->partition = s->partition;
    if (!o->account)
        o->account = s->account;
    if (!o->qos)
        o->qos = s->qos;
    return 0;
}

/* The report job may start while a front end is still there (it gives way) or before one that was
 * killed is known to be dead (it waits). */
static int drive_from_job(const char *dir, const struct execute_options *o,
                          struct pipeline_outcome *out, struct err *e)
{
    for (int waited = 0;; waited += LOCK_POLL_MS) {
        int rc = pipeline_run(dir, o, VIEW_CLASS, out, e);
        if (rc != 0 || !out->busy || waited >= LOCK_WAIT_MS)
            return rc;
        clock_sleep_ms(LOCK_POLL_MS);
    }
}

/* Absolute directory of the run that a name stands for; NULL and e when there is none. */
static char *find_run(const char *name, struct err *e)
{
    struct run r;
    if (locate_run(name, &r, e) != 0)
        return NULL;
    char *dir = xstrdup(r.dir);
    run_close(&r);
    return dir;
}

static int resume(struct execute_args *a, const char *name)
{
    struct err e = ERR_INIT;
    struct resume_options s = {0};
    struct pipeline_outcome out = {0};
    char *dir = find_run(name, &e);
    int rc = dir ? adopt_options(a, dir, &s, &e) : -1, status;
    if (rc == 0 && a->options.from_job)
        rc = drive_from_job(dir, &a->options, &out, &e);
    else if (rc == 0)
        rc = pipeline_run(dir, &a->options, a->json ? VIEW_JSON : VIEW_CLASS, &out, &e);
    if (rc == 0 && out.busy && a->options.from_job) {
        fprintf(stderr, "%s: left to it\n", e.text);
        status = EXIT_OK;
    } else if (rc != 0 || out.busy) {
        status = command_error(&cmd_resume, &e);
    } else {
        status = pipeline_status(&out, &a->options, dir);
    }
    resume_options_free(&s);
    free(dir);
    return status;
}

static int run_resume(int argc, char **argv)
{
    static const struct option options[] = {
        EXECUTE_ARG_OPTIONS,
        {"from-job", no_argument, NULL, FROM_JOB},
        {NULL, 0, NULL, 0},
    };
    struct execute_args a;
    struct err e = ERR_INIT;
    int opt;
    execute_args_init(&a);
    while ((opt = getopt_long(argc, argv, "j:q", options, NULL)) != -1) {
        if (opt == FROM_JOB) { /* how the report job calls this: submit, do not wait */
            a.options.from_job = true;
            a.options.slurm = true;
            a.options.wait = false;
            a.slurm_given = true;
            continue;
        }
        int rc = opt == '?' ? 1 : execute_args_take(&a, opt, optarg, &e);
        if (rc < 0)
            return command_error(&cmd_resume, &e);
        if (rc > 0)
            return command_bad_option(&cmd_resume, argv, options);
    }
    if (argc - optind != 1)
        return command_usage(&cmd_resume,
                             "which run? Give its directory, or its name under reports/");
    if (a.slurm_given && execute_args_check(&a, &e) != 0)
        return command_usage(&cmd_resume, "%s", e.text);
    return resume(&a, argv[optind]);
}

const struct command cmd_resume = {
    .name = "resume",
    .usage = "resume [options] RUN",
    .summary = "go on with an interrupted run, or try again what the cluster lost",
    .help = "Takes up what is there: results stay, jobs that are still in Slurm are waited for,\n"
            "units without a result are run again. Goes on in the way the run was started unless\n"
            "an option says otherwise.\n\n"
            "  --local             on this machine, though the run was started through Slurm\n"
            "                        (cancel its jobs first)\n" EXECUTE_ARG_HELP
            "\nexample:\n  paragrade resume reports/gemm-i32-20261121-042206\n",
    .run = run_resume,
};
