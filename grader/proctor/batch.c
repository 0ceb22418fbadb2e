#include "proctor/batch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/parse.h"
#include "base/proc.h"
#include "base/strbuf.h"
#include "proctor/node_step.h"
#include "rundir/announce.h"
#include "rundir/claim.h"
#include "rundir/proctor_status.h"
#include "supervise/stop.h"

enum {
    CANCEL_MS = 10000,
    FAILURES_MOST = 2, /* in a row: then the node may be to blame, and other elements do the rest */
};

/* 3 for ".../array-3.json", or -1. */
static int array_number(const char *file)
{
    static const char kind[] = "array-", suffix[] = ".json";
    const char *slash = strrchr(file, '/'), *name = slash ? slash + 1 : file;
    char *end;
    if (strncmp(name, kind, sizeof kind - 1) != 0)
        return -1;
    const long n = strtol(name + sizeof kind - 1, &end, 10);
    return n > 0 && n < 1000000000 && strcmp(end, suffix) == 0 ? (int)n : -1;
}

/* Has Slurm started this job before? */
static bool runs_again(void)
{
    long long n = 0;
    const char *count = getenv("SLURM_RESTART_COUNT");
    return count && parse_int(count, 0, 1000000, &n, NULL) == 0 && n > 0;
}

/* Does the job end before a unit that starts now would have to? */
static bool too_late(const struct node_context *n, const struct unit *u, const struct batch *b)
{
    const char *end = getenv("SLURM_JOB_END_TIME");
    long long at;
    if (node_step_too_late(n, u, b->started))
        return true;
    return end && parse_int(end, 1, INT64_MAX, &at, NULL) == 0 &&
           (long long)time(NULL) + node_step_longest_ms(n) / 1000 > at;
}

/* All units are taken: elements that still wait in the queue have nothing to do, and a job that
 * waits for them would wait for nothing. If this fails, they find out themselves. */
static void cancel_waiting(const char *name)
{
    const char *job = getenv("SLURM_ARRAY_JOB_ID");
    OWNED char *only = xasprintf("--name=%s", name);
    char *argv[] = {"scancel", "--quiet", "--state=PENDING", only, (char *)job, NULL};
    const struct proc_spec spec = {
        .argv = argv, .output_max = 1024, .timeout_ms = CANCEL_MS, .stop = &proctor_stop};
    struct proc_result r;
    struct err ignored = ERR_INIT;
    if (job) {
        proc_run(&spec, &r, &ignored);
        proc_result_free(&r);
    }
}

static int run_units(struct node_context *n, const struct batch *b, struct claimer *c,
                     struct err *e)
{
    const struct plan *p = n->run.plan;
    int worst = 0, at = -1, failures = 0, taken;
    unsigned index;
    char tag[CLAIM_TAG];
    claim_tag(c->array, tag);
    while (!proctor_stop && failures < FAILURES_MOST &&
           (at < 0 || !too_late(n, &p->units[at], b))) {
        if ((taken = claim_next(c, &index, e)) < 0)
            return -1;
        if (!taken)
            break;
        const char *id = c->record->unit[index];
        at = plan_unit(p, id);
        if (at < 0) {
            err_input(e, "%s: unit %s is not in the plan", b->file, id);
            return -1;
        }
        struct announcement a = {.array = c->array, .task = b->task, .unit = at, .id = id};
        const char *verdict = NULL;
        announce(n->run.dir, n->host, &a);
        if (index + 1 == c->record->count && c->record->elements > 1)
            cancel_waiting(c->record->name);
        const int rc = b->run(b->arg, &p->units[at], tag, &verdict);
        worst = rc > worst ? rc : worst;
        failures = rc == 0 ? 0 : failures + 1;
        a.verdict = verdict ? verdict : "none";
        announce(n->run.dir, n->host, &a);
    }
    return proctor_stop ? PROCTOR_INFRASTRUCTURE : worst;
}

int batch_run(struct node_context *n, const struct batch *b, struct err *e)
{
    struct job_record record;
    struct claimer c = {.run = n->run.dir,
                        .array = array_number(b->file),
                        .record = &record,
                        .host = n->host,
                        .job = n->job,
                        .again = runs_again()};
    if (c.array < 0) {
        err_input(e, "%s: is not the record of an array", b->file);
        return PROCTOR_BAD_USAGE;
    }
    if (job_record_load(b->file, &record, e) != 0)
        return PROCTOR_BAD_USAGE;
    int rc = run_units(n, b, &c, e);
    job_record_free(&record);
    return rc < 0 ? e->kind == ERR_INPUT ? PROCTOR_BAD_USAGE : PROCTOR_INFRASTRUCTURE : rc;
}
