#include "slurm/work.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/strbuf.h"
#include "execute/stop.h"
#include "rundir/attempts.h"
#include "rundir/lock.h"

void work_submitted(struct slurm_work *s, long job)
{
    s->submitted.job =
        xrealloc_array(s->submitted.job, s->submitted.count + 1, sizeof *s->submitted.job);
    s->submitted.job[s->submitted.count++] = job;
}

const char *work_unit_id(const struct slurm_work *s, int unit)
{
    return s->in->r->plan->units[unit].id;
}

/* --- asking what is in the queue ---------------------------------------------------------- */

int work_ask_queue(struct slurm_work *s, struct slurm_list *l, struct err *e)
{
    struct strbuf names = STRBUF_INIT;
    enum slurm_answer a = SLURM_ANSWERED;
    char why[SLURM_WHY] = "";
    *l = (struct slurm_list){0};
    for (unsigned i = 0; i < s->jobs.count; i++)
        if (s->jobs.item[i].name)
            strbuf_addf(&names, "%s%s", names.len ? "," : "", s->jobs.item[i].name);
    if (names.len) {
        a = slurm_queue(names.s, l, why);
        /* Slurm has answered this question before, so the error may pass. (On a cluster without
         * configuration files on its nodes, a missing controller looks like a refusal.) */
        if (a == SLURM_REFUSED && s->contact.answered)
            a = SLURM_SILENT;
        contact_heard(&s->contact, a, why, &s->notes.progress);
    }
    strbuf_free(&names);
    if (a == SLURM_REFUSED)
        return err_system(e, "squeue: %s", why);
    return a == SLURM_ANSWERED;
}

int work_wait(struct slurm_work *s, struct err *e)
{
    while (!moment_passed(s->contact.next_query)) {
        if (execute_stop)
            return 1;
        if (run_lock_refresh(s->in->r->dir) != 0)
            return err_system(e, "%s: another process has taken this run over", s->in->r->dir);
        clock_sleep_ms(WORK_TICK_MS);
    }
    return 0;
}

/* Ask until there is an answer. 1: told to stop. */
static int insist_on_queue(struct slurm_work *s, struct slurm_list *l, struct err *e)
{
    for (;;) {
        int answered = work_ask_queue(s, l, e);
        if (answered != 0)
            return answered < 0 ? -1 : 0;
        int rc = work_wait(s, e);
        if (rc != 0)
            return rc;
    }
}

/* --- taking up what is there already ------------------------------------------------------ */

static const struct slurm_element *element_of(const struct slurm_list *queue,
                                              const struct slurm_job *j, long task)
{
    const struct slurm_element *x = slurm_list_find(queue, j->job, task);
    return x && j->name && strcmp(x->name, j->name) == 0 ? x : NULL;
}

const struct slurm_element *work_find(const struct slurm_jobs *jobs, const struct slurm_list *queue,
                                      const struct tracked *t)
{
    for (unsigned i = 0; i < jobs->count; i++)
        if (!jobs->item[i].is_report && jobs->item[i].number == t->array)
            return element_of(queue, &jobs->item[i], t->task);
    return NULL;
}

/* Settle a record without a job number: its process died before it could write the number. If the
 * queue has no such job, it was never submitted or is over already; then its units have results, or
 * are submitted again. */
static int settle_by_name(struct slurm_work *s, struct slurm_job *j, const struct slurm_list *queue,
                          struct err *e)
{
    for (size_t i = 0; i < queue->count; i++)
        if (strcmp(queue->item[i].name, j->name) == 0)
            return slurm_job_set(s->in->r->dir, j, queue->item[i].job, e);
    return slurm_job_void(s->in->r->dir, j, e);
}

static bool wanted(const int *units, unsigned count, int unit)
{
    for (unsigned i = 0; i < count; i++)
        if (units[i] == unit)
            return true;
    return false;
}

/* How many arrays a unit has been in. */
static int arrays_of(const struct slurm_work *s, int unit)
{
    int n = 0;
    for (unsigned i = 0; i < s->jobs.count; i++)
        for (unsigned k = 0; s->jobs.item[i].job && k < s->jobs.item[i].count; k++)
            n += s->jobs.item[i].unit[k] == unit;
    return n;
}

/* Does a unit have as many records of failure as arrays that it was in? Then no attempt is open.
 * (For a damaged result there is such a record, too, with another tag.) */
static bool accounted_for(const struct slurm_work *s, int unit)
{
    return attempt_failures(s->in->r->dir, work_unit_id(s, unit)).failures >= arrays_of(s, unit);
}

/* Track the units of an earlier array. Those that are no longer in the queue and left no record
 * will be found to be lost. */
static void take_up_array(struct slurm_work *s, const struct slurm_job *j,
                          const struct slurm_list *queue, const int *units, unsigned count)
{
    for (unsigned k = 0; k < j->count; k++) {
        if (j->unit[k] < 0 || !wanted(units, count, j->unit[k]) ||
            tracking_has(&s->tracked, j->unit[k]))
            continue;
        bool alive = element_of(queue, j, k) != NULL;
        if (!alive && accounted_for(s, j->unit[k]))
            continue;
        struct tracked *t = tracking_add(&s->tracked, j->unit[k], j, k);
        if (!alive) {
            t->absent = 1;
            t->absent_since = clock_mono_ns();
        }
    }
}

int work_take_up(struct slurm_work *s, const int *units, unsigned count, struct err *e)
{
    struct slurm_list queue = {0};
    slurm_jobs_mend(s->in->r->dir, s->in->r->plan);
    if (slurm_jobs_load(s->in->r->dir, s->in->r->plan, &s->jobs, e) != 0)
        return -1;
    int rc = s->jobs.count ? insist_on_queue(s, &queue, e) : 0;
    for (unsigned i = 0; rc == 0 && i < s->jobs.count; i++) {
        struct slurm_job *j = &s->jobs.item[i];
        if (!j->job)
            rc = settle_by_name(s, j, &queue, e);
        /* A report job that runs already gives way to this process, or is this process. */
        const struct slurm_element *x = element_of(&queue, j, -1);
        if (rc == 0 && j->is_report && j->job && x && strcmp(x->state, "PENDING") == 0)
            s->report.job = (int)i;
    }
    /* The newest array first: if a unit is in several, its older elements were lost. */
    for (unsigned i = s->jobs.count; rc == 0 && i-- > 0;)
        if (!s->jobs.item[i].is_report && s->jobs.item[i].job)
            take_up_array(s, &s->jobs.item[i], &queue, units, count);
    slurm_list_free(&queue);
    return rc;
}
