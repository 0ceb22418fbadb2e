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
    size_t sent;           /* jobs before this one were submitted or refused */
    uint64_t next_submit;  /* Slurm takes no more jobs before that moment */
    uint64_t cancel_at;    /* those that have not started */
    bool cancelled, ended; /* no job is in the queue */
};

static enum slurm_outcome submit(const struct each_node *t, struct each_node_job *j)
{
    char *nodelist = xasprintf("--nodelist=%s", j->node), *output = xasprintf("%s.log", j->node);
    char **extra = xcalloc(t->res.extra_count + 1, sizeof *extra);
    struct resources res = t->res;
    for (unsigned i = 0; i < res.extra_count; i++)
        extra[i] = res.extra[i];
    extra[res.extra_count++] = nodelist;
    res.extra = extra;
    const struct slurm_request q = {.script = t->script,
                                    .name = t->name,
                                    .chdir = t->chdir,
                                    .output = output,
                                    .res = &res,
                                    .args = j->args};
    const enum slurm_outcome o = slurm_submit(&q, &j->job, j->why);
    free(extra);
    free(output);
    free(nodelist);
    return o;
}

/* Submit the next job. After a refusal because of a limit it is tried again. */
static void send_next(struct state *s)
{
    struct each_node_job *j = &s->t->job[s->sent];
    switch (submit(s->t, j)) {
    case SUBMIT_DONE:
        j->why[0] = '\0';
        s->sent++;
        break;
    case SUBMIT_REFUSED:
        s->sent++;
        break;
    case SUBMIT_UNKNOWN: /* If it got in, its run is one more that this node has. */
    case SUBMIT_LIMIT:
        s->next_submit = moment_in_ms(2 * s->contact.poll_ms);
        break;
    }
    s->ended = false;
}

static struct each_node_job *job_of(struct each_node *t, long number)
{
    for (size_t i = 0; i < t->count; i++)
        if (t->job[i].job == number)
            return &t->job[i];
    return NULL;
}

static void ask(struct state *s)
{
    struct slurm_list queue;
    char why[SLURM_WHY] = "";
    const enum slurm_answer a = slurm_queue(s->t->name, &queue, why);
    contact_heard(&s->contact, a, why, &s->progress);
    if (a != SLURM_ANSWERED)
        return;
    bool *waits = xcalloc(s->t->count + 1, sizeof *waits);
    s->ended = queue.count == 0;
    for (size_t i = 0; i < queue.count; i++) {
        struct each_node_job *j = job_of(s->t, queue.item[i].job);
        if (j && strcmp(queue.item[i].state, "PENDING") == 0)
            waits[j - s->t->job] = true;
    }
    for (size_t i = 0; i < s->sent; i++)
        if (!s->t->job[i].cancelled)
            s->t->job[i].started = s->t->job[i].job && !waits[i];
    free(waits);
    slurm_list_free(&queue);
}

/* End the jobs that wait, or all of them. */
static void cancel(struct each_node *t, bool started_too)
{
    char **ids = xcalloc(t->count + 1, sizeof *ids);
    size_t n = 0;
    for (size_t i = 0; i < t->count; i++) {
        t->job[i].cancelled = !t->job[i].started;
        if (t->job[i].job && (started_too || !t->job[i].started))
            ids[n++] = xasprintf("%ld", t->job[i].job);
    }
    slurm_cancel(ids, n);
    texts_free(ids, (unsigned)n);
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
    while (!execute_stop && (s.sent < t->count || !s.ended)) {
        const bool late = moment_passed(s.cancel_at);
        if (late && !s.cancelled) {
            ask(&s); /* some may just have started */
            cancel(t, false);
            s.cancelled = true;
            s.sent = t->count;
        } else if (s.sent < t->count && moment_passed(s.next_submit)) {
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
        return 1;
    }
    return refused_all(t, e);
}
