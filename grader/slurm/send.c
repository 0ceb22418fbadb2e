#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/display_path.h"
#include "base/strbuf.h"
#include "rundir/attempts.h"
#include "slurm/submit.h"
#include "slurm/work.h"

/* --- submitting --------------------------------------------------------------------------- */

static void remember(struct slurm_work *s, long job)
{
    s->mine = xrealloc_array(s->mine, s->mine_count + 1, sizeof *s->mine);
    s->mine[s->mine_count++] = job;
}

static bool is_mine(const struct slurm_work *s, long job)
{
    for (unsigned i = 0; i < s->mine_count; i++)
        if (s->mine[i] == job)
            return true;
    return false;
}

/* Nodes on which units of the array failed before. */
static void failed_nodes(struct slurm_work *s, const int *units, unsigned count,
                         struct strbuf *known)
{
    struct strbuf all = STRBUF_INIT;
    char why[SLURM_WHY];
    for (unsigned i = 0; i < count; i++)
        attempt_failed_nodes(s->r->dir, work_unit_id(s, units[i]), &all);
    if (all.len)
        slurm_known_nodes(all.s, known, why);
    strbuf_free(&all);
}

static enum slurm_outcome submit_array(struct slurm_work *s, const struct slurm_group *g,
                                       const struct slurm_job *j, unsigned arrays,
                                       const char *exclude, long *job, char why[SLURM_WHY])
{
    char *batch = slurm_job_path(s->r->dir, j, ".json");
    char *output = xasprintf("array-%d-%%a.log", j->number);
    char *args[] = {s->proctor, s->r->dir, batch, NULL};
    long most = s->r->assignment->submit.max_concurrent;
    const struct slurm_request q = {
        .script = s->unit_script,
        .name = j->name,
        .chdir = s->dir,
        .output = output,
        .res = &g->res,
        .elements = j->count,
        /* The cap holds for a shape; when it needs several arrays they share it. */
        .throttle = most > 0 && most / arrays < 1 ? 1 : most / arrays,
        .exclude = exclude,
        .args = args,
    };
    enum slurm_outcome o = slurm_submit(&q, job, why);
    free(output);
    free(batch);
    return o;
}

/* Stop with Slurm's own words, and with nothing of this call left in the queue. */
static int refuse(struct slurm_work *s, const struct slurm_group *g, const char *why, struct err *e)
{
    char **ids = xcalloc(s->mine_count + 1, sizeof *ids);
    for (unsigned i = 0; i < s->mine_count; i++)
        ids[i] = xasprintf("%ld", s->mine[i]);
    slurm_cancel(ids, s->mine_count);
    for (unsigned i = 0; i < s->jobs.count; i++)
        if (s->jobs.item[i].name && is_mine(s, s->jobs.item[i].job))
            slurm_job_void(s->r->dir, &s->jobs.item[i], NULL);
    for (unsigned i = 0; i < s->mine_count; i++)
        free(ids[i]);
    free(ids);
    const struct tier *t = &s->r->assignment->tiers[s->r->plan->units[g->unit[0]].tier];
    char *path = display_path(s->r->dir);
    err_input(e,
              "Slurm refuses the job of tier '%s' (%s%s): %s\nNothing was left in "
              "the queue. Correct the resources in the assignment, or give --partition, "
              "--account or --qos to `paragrade resume --slurm %s`",
              t->name, g->res.partition ? "partition " : "default partition",
              g->res.partition ? g->res.partition : "", why, path);
    free(path);
    return -1;
}

static int got_in(struct slurm_work *s, unsigned group, struct slurm_job *j, long job,
                  struct err *e)
{
    remember(s, job);
    if (slurm_job_set(s->r->dir, j, job, e) != 0)
        return -1;
    for (unsigned k = 0; k < j->count; k++)
        work_track(s, j->unit[k], j, k);
    s->taken[group] += j->count;
    s->report_due = true;
    s->plain = false;
    s->chunk = s->chunk > 1000000 ? s->chunk : 2 * s->chunk;
    return 0;
}

/* A limit: try half as many; when not even one is taken, wait. The report job needs a place too,
 * so it is submitted as soon as the limit is felt. */
static int met_limit(struct slurm_work *s, unsigned tried, const char *why, struct err *e)
{
    if (!s->limit_noted)
        progress_note(&s->progress,
                      "Slurm takes no more jobs at the moment (%s); the rest follows as soon as it "
                      "does",
                      why);
    s->limit_noted = true;
    s->chunk = tried > 1 ? tried / 2 : 1;
    if (tried == 1)
        s->next_submit = work_in_ms(2 * work_poll_ms(s));
    return s->t_count && s->report < 0 ? send_report(s, e) : 0;
}

static int submit_next(struct slurm_work *s, unsigned group, struct err *e)
{
    const struct slurm_group *g = &s->groups.item[group];
    unsigned left = g->count - s->taken[group], n = left < s->chunk ? left : s->chunk;
    unsigned arrays = (unsigned)((left + s->max_array - 1) / s->max_array);
    if (n > s->max_array)
        n = (unsigned)s->max_array;
    const int *units = g->unit + s->taken[group];
    struct strbuf exclude = STRBUF_INIT;
    char why[SLURM_WHY] = "";
    long number;
    if (!s->plain)
        failed_nodes(s, units, n, &exclude);
    struct slurm_job *j = slurm_jobs_add(s->r->dir, s->r->plan, &s->jobs, false, units, n, e);
    int rc = j ? 0 : -1;
    switch (j ? submit_array(s, g, j, arrays, exclude.s, &number, why) : SUBMIT_DONE) {
    case SUBMIT_DONE:
        if (j)
            rc = got_in(s, group, j, number, e);
        break;
    case SUBMIT_LIMIT:
        rc = slurm_job_drop(s->r->dir, j, e);
        if (rc == 0)
            rc = met_limit(s, n, why, e);
        break;
    case SUBMIT_UNKNOWN: /* look for it by name before anything else */
        s->unverified = (int)(j - s->jobs.item);
        s->unverified_group = group;
        s->unverified_limit = slurm_classify_refusal(why) == SUBMIT_LIMIT;
        if (!s->unverified_limit)
            work_heard(s, SLURM_SILENT, why);
        break;
    case SUBMIT_REFUSED:
        rc = slurm_job_drop(s->r->dir, j, e);
        if (rc == 0 && exclude.len)
            s->plain = true; /* perhaps no node was left: once more without */
        else if (rc == 0)
            rc = refuse(s, g, why, e);
        break;
    }
    strbuf_free(&exclude);
    return rc;
}

static int verify(struct slurm_work *s, struct err *e)
{
    struct slurm_list queue;
    char why[SLURM_WHY] = "";
    struct slurm_job *j = &s->jobs.item[s->unverified];
    switch (work_ask_queue(s, &queue, why)) {
    case SLURM_SILENT:
        return 0;
    case SLURM_REFUSED:
        return err_system(e, "squeue: %s", why);
    case SLURM_ANSWERED:
        break;
    }
    long number = 0;
    for (size_t i = 0; i < queue.count; i++)
        if (strcmp(queue.item[i].name, j->name) == 0)
            number = queue.item[i].job;
    slurm_list_free(&queue);
    s->unverified = -1;
    if (number)
        return got_in(s, s->unverified_group, j, number, e);
    unsigned n = j->count;
    if (slurm_job_void(s->r->dir, j, e) != 0)
        return -1;
    return s->unverified_limit ? met_limit(s, n, "its queue is full", e) : 0;
}

static int group_left(const struct slurm_work *s)
{
    for (unsigned i = 0; i < s->groups.count; i++)
        if (s->taken[i] < s->groups.item[i].count)
            return (int)i;
    return -1;
}

int send_some(struct slurm_work *s, struct err *e)
{
    if (s->unverified >= 0)
        return work_due(s->next_query) ? verify(s, e) : 0;
    int group = group_left(s);
    if (group < 0)
        return 1;
    return work_due(s->next_submit) && (!s->silent || work_due(s->next_query))
               ? submit_next(s, (unsigned)group, e)
               : 0;
}

/* --- the report job ----------------------------------------------------------------------- */

static long own_job(void)
{
    const char *id = getenv("SLURM_JOB_ID");
    return id ? strtol(id, NULL, 10) : 0;
}

void send_cancel_report(struct slurm_work *s)
{
    if (s->report < 0)
        return;
    struct slurm_job *j = &s->jobs.item[s->report];
    if (j->job && j->job != own_job()) {
        char *id = xasprintf("%ld", j->job);
        slurm_cancel(&id, 1);
        free(id);
    }
    s->report = -1;
}

int send_report(struct slurm_work *s, struct err *e)
{
    struct strbuf after = STRBUF_INIT;
    long last = 0;
    for (unsigned i = 0; i < s->t_count; i++) {
        if (!s->t[i].over && s->t[i].job != last) {
            last = s->t[i].job;
            strbuf_addf(&after, "%s%ld", after.len ? ":" : "afterany:", last);
        }
    }
    struct slurm_job *j = slurm_jobs_add(s->r->dir, s->r->plan, &s->jobs, true, NULL, 0, e);
    if (!j) {
        strbuf_free(&after);
        return -1;
    }
    struct resources res = s->r->assignment->slurm;
    /* One process that reads and writes a few files: only where it runs matters. */
    struct resources small = {
        .partition = s->o->partition ? (char *)s->o->partition : res.partition,
        .account = s->o->account ? (char *)s->o->account : res.account,
        .qos = s->o->qos ? (char *)s->o->qos : res.qos,
        .tasks = 1,
        .cpus_per_task = 1,
        .extra = res.extra,
        .extra_count = res.extra_count,
    };
    char *output = xasprintf("report-%d.log", j->number);
    char *args[] = {s->paragrade, s->r->dir, NULL};
    const struct slurm_request q = {.script = s->report_script,
                                    .name = j->name,
                                    .chdir = s->dir,
                                    .output = output,
                                    .res = &small,
                                    .dependency = after.s,
                                    .args = args};
    long number;
    char why[SLURM_WHY] = "";
    int rc = 0;
    s->report_due = false;
    if (slurm_submit(&q, &number, why) == SUBMIT_DONE) {
        rc = slurm_job_set(s->r->dir, j, number, e);
        remember(s, number);
        send_cancel_report(s);
        s->report = (int)(j - s->jobs.item);
    } else {
        char *text = xasprintf("no report job was submitted (%s): stay, or run `paragrade resume` "
                               "when the jobs have ended",
                               why);
        work_note_once(s, text);
        free(text);
        rc = slurm_job_void(s->r->dir, j, e);
    }
    free(output);
    strbuf_free(&after);
    return rc;
}

int send_learn_max_array(struct slurm_work *s, struct err *e)
{
    char why[SLURM_WHY] = "";
    s->max_array = s->r->assignment->submit.max_array_size;
    while (s->max_array <= 0) {
        enum slurm_answer a = slurm_max_array_size(&s->max_array, why);
        work_heard(s, a, why);
        if (a == SLURM_REFUSED)
            return err_system(e, "scontrol: %s", why);
        if (a == SLURM_ANSWERED && s->max_array <= 0)
            return err_system(e, "this cluster takes no job arrays (MaxArraySize=%ld)",
                              s->max_array);
        int rc = a == SLURM_SILENT ? work_wait(s, e) : 0;
        if (rc != 0)
            return rc;
    }
    return 0;
}
