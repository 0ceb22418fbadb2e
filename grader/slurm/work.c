#include "slurm/work.h"

#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/plural.h"
#include "base/strbuf.h"
#include "execute/stop.h"
#include "rundir/attempts.h"
#include "rundir/claim.h"
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

static void count_queued(struct slurm_jobs *jobs, const struct slurm_list *queue)
{
    for (unsigned i = 0; i < jobs->count; i++)
        jobs->item[i].queued = 0;
    for (size_t i = 0; i < queue->count; i++) {
        struct slurm_job *j = work_array_of(jobs, &queue->item[i]);
        if (j && strcmp(queue->item[i].state, "COMPLETING") != 0)
            j->queued++;
    }
}

/* Our names are in the queue with other numbers than those that sbatch seemed to say. Nobody else
 * uses these names, so the queue is right. */
static int correct_numbers(struct slurm_work *s, const struct slurm_list *queue, struct err *e)
{
    int rc = 0;
    for (size_t i = 0; i < queue->count && rc == 0; i++)
        for (unsigned k = 0; k < s->jobs.count && rc == 0; k++) {
            struct slurm_job *j = &s->jobs.item[k];
            const struct slurm_element *x = &queue->item[i];
            if (!j->job || j->job == x->job || !j->name || strcmp(j->name, x->name) != 0)
                continue;
            for (unsigned t = 0; t < s->tracked.count && !j->is_report; t++)
                if (s->tracked.item[t].array == j->number)
                    s->tracked.item[t].job = x->job;
            for (unsigned m = 0; m < s->submitted.count; m++)
                if (s->submitted.job[m] == j->job)
                    s->submitted.job[m] = x->job;
            rc = slurm_job_set(s->in->r->dir, j, x->job, e);
        }
    return rc;
}

int work_ask_queue(struct slurm_work *s, struct slurm_list *l, struct err *e)
{
    FREED_BY(strbuf_free) struct strbuf names = STRBUF_INIT;
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
        if (a == SLURM_ANSWERED && correct_numbers(s, l, e) != 0) {
            slurm_list_free(l);
            return -1;
        }
        if (a == SLURM_ANSWERED)
            count_queued(&s->jobs, l);
    }
    if (a == SLURM_REFUSED)
        return err_system(e, "squeue: %s", why);
    return a == SLURM_ANSWERED;
}

/* Any unit of an array: all of them ask for the same resources. -1: none is in the plan. */
static int some_unit(const struct slurm_job *j)
{
    for (unsigned i = 0; i < j->count; i++)
        if (j->unit[i] >= 0)
            return j->unit[i];
    return -1;
}

long work_at_a_time(const struct slurm_work *s, const struct resources *res)
{
    const struct slurm_setup *in = s->in;
    long left = in->r->assignment->submit.max_concurrent;
    for (unsigned i = 0; i < s->jobs.count; i++) {
        const struct slurm_job *j = &s->jobs.item[i];
        const int unit = j->queued ? some_unit(j) : -1;
        if (unit < 0)
            continue;
        const struct resources its =
            slurm_unit_resources(in->r->assignment, in->r->plan, unit, &in->layers);
        if (resources_equal(&its, res))
            left -= j->throttle && j->throttle < j->queued ? j->throttle : j->queued;
    }
    return left > 1 ? left : 1;
}

int work_wait(struct slurm_work *s, struct err *e)
{
    for (;;) {
        /* A question that the signal has ended sets no moment for the next one, so this comes
         * first. */
        if (execute_stop)
            return 1;
        if (moment_passed(s->contact.next_query))
            return 0;
        if (run_lock_kept(s->in->r->dir, e) != 0)
            return -1;
        clock_sleep_ms(WORK_TICK_MS);
    }
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

struct slurm_job *work_array_of(const struct slurm_jobs *jobs, const struct slurm_element *x)
{
    for (unsigned i = 0; i < jobs->count; i++) {
        struct slurm_job *j = &jobs->item[i];
        if (!j->is_report && j->job == x->job && j->name && strcmp(x->name, j->name) == 0)
            return j;
    }
    return NULL;
}

struct slurm_job *work_array(const struct slurm_jobs *jobs, const struct tracked *t)
{
    for (unsigned i = 0; i < jobs->count; i++)
        if (!jobs->item[i].is_report && jobs->item[i].number == t->array)
            return &jobs->item[i];
    return NULL;
}

static const struct slurm_element *any_of(const struct slurm_list *queue, const struct slurm_job *j)
{
    const struct slurm_element *ending = NULL;
    for (size_t i = 0; i < queue->count; i++) {
        const struct slurm_element *x = &queue->item[i];
        if (x->job != j->job || !j->name || strcmp(x->name, j->name) != 0)
            continue;
        if (strcmp(x->state, "COMPLETING") != 0)
            return x;
        ending = x;
    }
    return ending;
}

const struct slurm_element *work_find(const struct slurm_jobs *jobs, const struct slurm_list *queue,
                                      const struct tracked *t)
{
    const struct slurm_job *j = work_array(jobs, t);
    if (!j)
        return NULL;
    return t->task >= 0 ? element_of(queue, j, t->task) : any_of(queue, j);
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
    return slurm_job_void(s->in->r->dir, &s->jobs, j, e);
}

/* Has the array tried the unit in vain? Then it does not try it again, even if it is still in the
 * queue, for other units or because Slurm is tidying up. */
static bool has_failed(const struct slurm_work *s, const struct tracked *t)
{
    char tag[CLAIM_TAG];
    claim_tag(t->array, tag);
    return attempt_has_failure(s->in->r->dir, work_unit_id(s, t->unit), tag);
}

/* Has every attempt of a unit that was started in Slurm left a record of failure? For a damaged
 * result there is such a record, too, with another tag. */
static bool accounted_for(const struct slurm_work *s, const struct tracked *t)
{
    const char *run = s->in->r->dir, *id = work_unit_id(s, t->unit);
    return t->task >= 0 && attempt_failures(run, id).failures >= attempt_starts(run, id, "a");
}

/* Track the units of an earlier array. Those that are no longer in the queue and left no record
 * will be found to be lost. */
static void take_up_array(struct slurm_work *s, const struct slurm_job *j,
                          const struct slurm_list *queue, const bool *wanted)
{
    for (unsigned k = 0; k < j->count; k++) {
        const int unit = j->unit[k];
        if (unit < 0 || !wanted[unit] || tracking_find(&s->tracked, unit))
            continue;
        struct tracked t = {.unit = unit, .array = j->number, .job = j->job};
        t.task = claim_task(s->in->r->dir, j->number, work_unit_id(s, unit));
        if (has_failed(s, &t))
            continue;
        if (!work_find(&s->jobs, queue, &t)) {
            if (accounted_for(s, &t))
                continue;
            t.absent = 1;
            t.absent_since = clock_mono_ns();
            /* The report job was not asked for: what the user cancelled, it does not repeat. */
            t.earlier = !s->in->o->from_job;
        }
        *tracking_add(&s->tracked, unit, j) = t;
    }
}

/* The options of this call do not reach jobs that are in the queue already. */
static void say_old_options(struct slurm_work *s)
{
    FREED_BY(strbuf_free) struct strbuf ids = STRBUF_INIT;
    unsigned units = 0;
    long last = 0;
    for (unsigned i = 0; i < s->tracked.count; i++) {
        const struct tracked *t = &s->tracked.item[i];
        if (t->absent || t->task >= 0)
            continue;
        units++;
        if (t->job != last) /* tracked array by array */
            strbuf_addf(&ids, " %ld", t->job);
        last = t->job;
    }
    if (units && s->report.job >= 0) /* it would begin when they end */
        strbuf_addf(&ids, " %ld", s->jobs.item[s->report.job].job);
    if (units) {
        OWNED char *text =
            xasprintf("%u %s in the queue with the options of their submission. To give "
                      "them those of this call: `scancel --state=PENDING%s`, then "
                      "`paragrade resume` with these options again",
                      units, plural(units, "unit stays", "units stay"), ids.s);
        notes_once(&s->notes, text);
    }
}

int work_take_up(struct slurm_work *s, const int *units, unsigned count, struct err *e)
{
    FREED_BY(slurm_list_free) struct slurm_list queue = {0};
    slurm_jobs_mend(s->in->r->dir, s->in->r->plan);
    if (slurm_jobs_load(s->in->r->dir, s->in->r->plan, &s->jobs, e) != 0)
        return -1;
    int rc = s->jobs.count ? insist_on_queue(s, &queue, e) : 0;
    OWNED bool *wanted = xcalloc(s->in->r->plan->units_count + 1, sizeof *wanted);
    for (unsigned i = 0; i < count; i++)
        wanted[units[i]] = true;
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
            take_up_array(s, &s->jobs.item[i], &queue, wanted);
    if (rc == 0 && s->in->o->slurm_words_given)
        say_old_options(s);
    return rc;
}
