#include "slurm/each_node.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "execute/stop.h"
#include "slurm/contact.h"
#include "slurm/query.h"

enum { STEP_MS = 100 };

/* What is going on: some jobs in the queue, the rest to be submitted. */
struct state {
    struct each_node *t;
    struct slurm_contact contact;
    struct progress progress;
    size_t sent;          /* jobs before this one were submitted or refused */
    bool unverified;      /* the next one may be in the queue or not: sbatch had no answer */
    uint64_t next_submit; /* Slurm takes no more jobs before that moment */
    uint64_t cancel_at;   /* those that have not started */
    uint64_t give_up_at;
    bool cancelled;
    bool ended; /* no job is in the queue */
};

/* As in a list of the queue, where a long name is cut. */
struct job_name {
    char s[sizeof((struct slurm_element *)0)->name];
};

static struct job_name name_of(const struct each_node *t, const struct each_node_job *j)
{
    struct job_name n;
    snprintf(n.s, sizeof n.s, "%s-%s", t->name, j->node);
    return n;
}

static enum slurm_outcome submit(const struct each_node *t, struct each_node_job *j)
{
    const struct job_name name = name_of(t, j);
    OWNED char *output = xasprintf("%s.log", j->node);
    const struct slurm_request q = {.script = t->script,
                                    .name = name.s,
                                    .chdir = t->chdir,
                                    .output = output,
                                    .res = &t->res,
                                    .node = j->node,
                                    .args = j->args};
    return slurm_submit(&q, &j->job, j->why);
}

/* Submit the next job. After a refusal because of a limit it is tried again; without an answer, it
 * is looked for in the queue first. */
static void send_next(struct state *s)
{
    struct each_node_job *j = &s->t->job[s->sent];
    switch (submit(s->t, j)) {
    case SUBMIT_DONE:
        j->why[0] = '\0';
        j->queued = true;
        s->sent++;
        break;
    case SUBMIT_REFUSED:
        s->sent++;
        break;
    case SUBMIT_UNKNOWN:
        s->unverified = true;
        contact_heard(&s->contact, SLURM_SILENT, j->why, &s->progress);
        break;
    case SUBMIT_LIMIT:
        s->next_submit = moment_in_ms(2 * s->contact.poll_ms);
        break;
    }
    s->ended = false;
}

static struct each_node_job *job_of(struct each_node *t, const char *name)
{
    const size_t n = strlen(t->name);
    if (strncmp(name, t->name, n) != 0)
        return NULL;
    for (size_t i = 0; i < t->count; i++)
        if (strcmp(name_of(t, &t->job[i]).s, name) == 0)
            return &t->job[i];
    return NULL;
}

/* A job that has started meanwhile goes on, if it may. */
static void end_job(long job, bool may_run)
{
    OWNED char *id = xasprintf("%ld", job);
    (may_run ? slurm_cancel_waiting : slurm_cancel)(NULL, &id, 1);
}

/* A job of this night is in the queue. It may have got in although sbatch had no answer. */
static void see(struct state *s, const struct slurm_element *x, bool *waits)
{
    struct each_node_job *j = job_of(s->t, x->name);
    if (!j)
        return;
    s->ended = false;
    if (!j->job)
        j->job = x->job;
    const bool pending = strcmp(x->state, "PENDING") == 0;
    if (j->job == x->job) {
        j->queued = j->seen = true;
        waits[j - s->t->job] = pending;
        if (pending)
            snprintf(j->reason, sizeof j->reason, "%s", x->reason);
    }
    /* It got in late: another one was submitted, or it may not start any more. */
    if (j->job != x->job || (pending && s->cancelled))
        end_job(x->job, j->job == x->job);
}

/* Look which jobs are in the queue. */
static void ask(struct state *s)
{
    struct each_node *t = s->t;
    struct slurm_list queue;
    char why[SLURM_WHY] = "";
    /* Of all names: those of the jobs of a large cluster are too long for a command line. */
    const enum slurm_answer a = slurm_queue(NULL, &queue, why);
    contact_heard(&s->contact, a, why, &s->progress);
    if (a != SLURM_ANSWERED)
        return;
    OWNED bool *waits = xcalloc(t->count + 1, sizeof *waits);
    s->ended = true;
    for (size_t i = 0; i < t->count; i++)
        t->job[i].queued = false;
    for (size_t i = 0; i < queue.count; i++)
        see(s, &queue.item[i], waits);
    s->unverified = false;
    while (s->sent < t->count && t->job[s->sent].job)
        t->job[s->sent++].why[0] = '\0';
    for (size_t i = 0; i < s->sent; i++)
        if (!t->job[i].cancelled)
            t->job[i].started = t->job[i].job && !waits[i];
    slurm_list_free(&queue);
}

/* End the jobs that wait, or all that are in the queue: at once those that were seen there. */
static void cancel(struct each_node *t, bool started_too)
{
    void (*const end)(const char *, char *const *, size_t) =
        started_too ? slurm_cancel : slurm_cancel_waiting;
    char **ids = xcalloc(t->count + 1, sizeof *ids);
    size_t n = 0;
    for (size_t i = 0; i < t->count; i++) {
        t->job[i].cancelled = !t->job[i].started;
        if (!t->job[i].queued || (t->job[i].started && !started_too))
            continue;
        ids[n++] = xasprintf("%ld", t->job[i].job);
        if (!t->job[i].seen) {
            end(name_of(t, &t->job[i]).s, &ids[--n], 1);
            free(ids[n]);
        }
    }
    end(NULL, ids, n);
    texts_free(ids, (unsigned)n);
}

static void give_up(struct each_node *t)
{
    cancel(t, true);
    for (size_t i = 0; i < t->count; i++)
        t->job[i].unended = t->job[i].queued;
}

static int refused_all(const struct each_node *t, struct err *e)
{
    for (size_t i = 0; i < t->count; i++)
        if (t->job[i].job || !t->job[i].why[0])
            return 0;
    return t->count ? err_input(e, "Slurm refuses the job on every node; on %s: %s", t->job[0].node,
                                t->job[0].why)
                    : 0;
}

int each_node_run(struct each_node *t, struct err *e)
{
    struct state s = {.t = t, .contact = {.poll_ms = t->poll_ms}};
    execute_catch_signals();
    progress_start(&s.progress, t->count, true);
    s.cancel_at = moment_in_ms(t->limit_ms);
    s.give_up_at = moment_in_ms(t->end_ms);
    while (!execute_stop && (s.sent < t->count || !s.ended || s.unverified)) {
        const bool late = moment_passed(s.cancel_at);
        if (moment_passed(s.give_up_at)) {
            give_up(t);
            break;
        }
        if (late && !s.cancelled) {
            ask(&s); /* some may just have started */
            cancel(t, false);
            s.cancelled = true;
            s.sent = t->count;
        } else if (s.sent < t->count && !s.unverified && moment_passed(s.next_submit)) {
            send_next(&s);
        } else if (moment_passed(s.contact.next_query)) {
            ask(&s);
        } else {
            clock_sleep_ms(STEP_MS);
        }
    }
    progress_end(&s.progress);
    if (execute_stop) {
        cancel(t, true);
        if (s.unverified && s.sent < t->count) {
            const struct job_name name = name_of(t, &t->job[s.sent]);
            OWNED char *by_name = xasprintf("--name=%s", name.s);
            slurm_cancel(NULL, &by_name, 1);
        }
        return 1;
    }
    return refused_all(t, e);
}
