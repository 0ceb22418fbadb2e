#include "slurm/send.h"

#include <stdio.h>
#include <string.h>

#include "base/display_path.h"
#include "base/strbuf.h"
#include "rundir/attempts.h"
#include "slurm/array_request.h"
#include "slurm/report_job.h"
#include "slurm/share.h"
#include "slurm/submit.h"

/* --- submitting --------------------------------------------------------------------------- */

static bool is_mine(const struct slurm_work *s, long job)
{
    for (unsigned i = 0; i < s->submitted.count; i++)
        if (s->submitted.job[i] == job)
            return true;
    return false;
}

/* The nodes on which these units failed before. */
static void failed_nodes(struct slurm_work *s, const struct slurm_units *units,
                         struct strbuf *known)
{
    FREED_BY(strbuf_free) struct strbuf all = STRBUF_INIT;
    char why[SLURM_WHY];
    for (unsigned i = 0; i < units->count; i++)
        attempt_failed_nodes(s->in->r->dir, work_unit_id(s, units->index[i]), &all);
    if (all.len)
        slurm_known_nodes(all.s, known, why);
}

/* Submit an array, not on these nodes (NULL or "": none). *number receives the job's number, or 0;
 * why[] receives Slurm's words. */
static enum slurm_outcome submit_array(const struct slurm_setup *in, const struct slurm_job *j,
                                       const struct slurm_group *g, const char *exclude,
                                       long *number, char why[SLURM_WHY])
{
    const struct array_setting at = {
        .run = in->r->dir, .proctor = in->proctor, .script = in->unit_script, .prefix = in->prefix};
    FREED_BY(array_request_free) struct array_request r = {0};
    array_request_make(&at, j, &g->res, &r);
    r.q.exclude = exclude;
    return slurm_submit(&r.q, number, why);
}

/* Fail with Slurm's own words, and leave no job of this call in the queue. */
static int refuse(struct slurm_work *s, const struct slurm_group *g, const char *why, struct err *e)
{
    for (unsigned i = 0; i < s->jobs.count; i++) {
        const struct slurm_job *j = &s->jobs.item[i];
        if (!j->name || !is_mine(s, j->job))
            continue;
        OWNED char *id = xasprintf("%ld", j->job);
        slurm_cancel(j->name, &id, 1);
    }
    for (unsigned i = 0; i < s->tracked.count; i++)
        if (!s->tracked.item[i].over && is_mine(s, s->tracked.item[i].job))
            tracking_over(&s->tracked, &s->tracked.item[i]);
    if (s->report.job >= 0 && is_mine(s, s->jobs.item[s->report.job].job))
        s->report.job = -1;
    for (unsigned i = 0; i < s->jobs.count; i++)
        if (s->jobs.item[i].name && is_mine(s, s->jobs.item[i].job))
            slurm_job_void(s->in->r->dir, &s->jobs, &s->jobs.item[i], NULL);
    const struct tier *t = &s->in->r->assignment->tiers[s->in->r->plan->units[g->unit[0]].tier];
    OWNED char *path = display_path(s->in->r->dir);
    const char *memory =
        g->res.memory_bytes && strcasestr(why, "mem")
            ? "If this site takes no --mem, write `memory: per-core` or `memory: not-asked` into "
              "its configuration. "
            : "";
    err_input(e,
              "Slurm refuses the job of tier '%s' (%s%s): %s\nNo job of this call was "
              "left in the queue. %sCorrect the resources in the assignment or the configuration "
              "(paragrade config), or give --partition, --account or --qos to `paragrade resume "
              "--slurm %s`",
              t->name, g->res.partition ? "partition " : "default partition",
              g->res.partition ? g->res.partition : "", why, memory, path);
    return -1;
}

static int got_in(struct slurm_work *s, unsigned group, struct slurm_job *j, long job,
                  struct err *e)
{
    work_submitted(s, job);
    j->queued = j->elements;
    if (slurm_job_set(s->in->r->dir, j, job, e) != 0)
        return -1;
    for (unsigned k = 0; k < j->count; k++)
        tracking_add(&s->tracked, j->unit[k], j);
    s->arrays.taken[group] += j->count;
    s->report.due = true;
    s->arrays.plain = false;
    s->arrays.chunk = s->arrays.chunk > 1000000 ? s->arrays.chunk : 2 * s->arrays.chunk;
    return 0;
}

/* Slurm takes no array of that many elements now: try half as many; when it does not even take one,
 * wait. The report job needs a place, too, so it is submitted now; when it is refused as well, the
 * next one is tried after the next array. */
static int met_limit(struct slurm_work *s, unsigned tried, const char *why, struct err *e)
{
    if (!s->arrays.limit_noted)
        progress_note(&s->notes.progress,
                      "Slurm takes no more jobs at the moment (%s); the rest follows as soon as it "
                      "does",
                      why);
    s->arrays.limit_noted = true;
    s->arrays.chunk = tried > 1 ? tried / 2 : 1;
    if (tried == 1)
        s->arrays.next_submit = moment_in_ms(2 * s->contact.poll_ms);
    return s->report.due && s->report.job < 0 ? report_job_send(s, e) : 0;
}

static int submit_next(struct slurm_work *s, unsigned group, struct err *e)
{
    const struct slurm_group *g = &s->arrays.groups.item[group];
    const long chunk = s->arrays.chunk;
    const struct share_limits limits = {.at_a_time = s->arrays.at_a_time[group],
                                        .most = chunk < s->arrays.max_array ? chunk
                                                                            : s->arrays.max_array};
    const struct slurm_share share = share_next(g, s->arrays.taken[group], &limits);
    FREED_BY(strbuf_free) struct strbuf exclude = STRBUF_INIT;
    char why[SLURM_WHY] = "";
    long number;
    if (!s->arrays.plain)
        failed_nodes(s, &share.units, &exclude);
    struct slurm_job *j = slurm_jobs_add_array(s->in->r->dir, s->in->r->plan, &s->jobs, &share, e);
    int rc = j ? 0 : -1;
    switch (j ? submit_array(s->in, j, g, exclude.s, &number, why) : SUBMIT_DONE) {
    case SUBMIT_DONE:
        if (j)
            rc = got_in(s, group, j, number, e);
        break;
    case SUBMIT_LIMIT:
        rc = slurm_job_drop(s->in->r->dir, &s->jobs, e);
        if (rc == 0)
            rc = met_limit(s, share.elements, why, e);
        break;
    case SUBMIT_UNKNOWN: /* first look for the job by its name */
        s->arrays.unverified.job = (int)(j - s->jobs.item);
        s->arrays.unverified.group = group;
        s->arrays.unverified.limit = slurm_classify_refusal(why) == SUBMIT_LIMIT;
        if (!s->arrays.unverified.limit)
            contact_heard(&s->contact, SLURM_SILENT, why, &s->notes.progress);
        break;
    case SUBMIT_REFUSED:
        rc = slurm_job_drop(s->in->r->dir, &s->jobs, e);
        if (rc == 0 && exclude.len)
            s->arrays.plain = true; /* perhaps --exclude left no node: try without it */
        else if (rc == 0)
            rc = refuse(s, g, why, e);
        break;
    }
    return rc;
}

/* Look in the queue for the job that may have got in or not. */
static int verify(struct slurm_work *s, struct err *e)
{
    struct slurm_list queue;
    struct slurm_job *j = &s->jobs.item[s->arrays.unverified.job];
    int answered = work_ask_queue(s, &queue, e);
    if (answered != 1)
        return answered;
    long number = 0;
    for (size_t i = 0; i < queue.count; i++)
        if (strcmp(queue.item[i].name, j->name) == 0)
            number = queue.item[i].job;
    slurm_list_free(&queue);
    s->arrays.unverified.job = -1;
    if (number)
        return got_in(s, s->arrays.unverified.group, j, number, e);
    unsigned n = j->elements;
    if (slurm_job_void(s->in->r->dir, &s->jobs, j, e) != 0)
        return -1;
    return s->arrays.unverified.limit ? met_limit(s, n, "its queue is full", e) : 0;
}

static int group_left(const struct slurm_work *s)
{
    for (unsigned i = 0; i < s->arrays.groups.count; i++)
        if (s->arrays.taken[i] < s->arrays.groups.item[i].count)
            return (int)i;
    return -1;
}

int send_some(struct slurm_work *s, struct err *e)
{
    if (s->arrays.unverified.job >= 0)
        return moment_passed(s->contact.next_query) ? verify(s, e) : 0;
    int group = group_left(s);
    if (group < 0)
        return 1;
    return moment_passed(s->arrays.next_submit) &&
                   (!s->contact.silent || moment_passed(s->contact.next_query))
               ? submit_next(s, (unsigned)group, e)
               : 0;
}

int send_learn_max_array(struct slurm_work *s, struct err *e)
{
    char why[SLURM_WHY] = "";
    if (s->arrays.max_array <= 0)
        s->arrays.max_array = s->in->r->assignment->submit.max_array_size;
    while (s->arrays.max_array <= 0) {
        enum slurm_answer a = slurm_max_array_size(&s->arrays.max_array, why);
        contact_heard(&s->contact, a, why, &s->notes.progress);
        if (a == SLURM_REFUSED)
            return err_system(e, "scontrol: %s", why);
        if (a == SLURM_ANSWERED && s->arrays.max_array <= 0)
            return err_system(e, "this cluster takes no job arrays (MaxArraySize=%ld)",
                              s->arrays.max_array);
        int rc = a == SLURM_SILENT ? work_wait(s, e) : 0;
        if (rc != 0)
            return rc;
    }
    return 0;
}
