#include "slurm/watch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/strbuf.h"
#include "rundir/attempts.h"
#include "rundir/node_measuring.h"
#include "rundir/paths.h"
#include "rundir/result_file.h"

enum {
    DISK_MS = 1000,        /* between two checks for results */
    GRACE_MS = 5000,       /* between leaving the queue and being called lost: NFS is slow */
    COMPLETING_MS = 30000, /* the same for an element that stays in state COMPLETING */
    EXPLAIN_TRIES = 3,
};

/* --- lost units --------------------------------------------------------------------------- */

static const char *explanation(const char *state)
{
    static const struct {
        const char *state, *text;
    } known[] = {
        {"NODE_FAIL", "the node failed"},
        {"BOOT_FAIL", "the node did not boot"},
        {"PREEMPTED", "the job was preempted"},
        {"CANCELLED", "the job was cancelled"},
        {"TIMEOUT", "Slurm's time limit came before the unit's own; raise slurm.time of the tier"},
        {"DEADLINE", "the job's deadline passed"},
        {"OUT_OF_MEMORY",
         "Slurm's memory limit came before the unit's own; raise slurm.memory of the tier"},
        {"FAILED", "the job failed"},
        {"COMPLETED", "the job ended well, but its result is not there"},
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (strcmp(known[i].state, state) == 0)
            return known[i].text;
    return "the job ended";
}

static void over(struct slurm_work *s, struct tracked *t, const char *what)
{
    t->over = true;
    s->tracked.over++;
    progress_update(&s->notes.progress, s->tracked.over, "%s: %s", work_unit_id(s, t->unit), what);
}

/* What Slurm says about an array element that is lost. No string is NULL. */
struct lost_element {
    const char *state;  /* "": Slurm no longer knows the element */
    const char *node;   /* "": not said, the node where the queue showed it last is taken */
    const char *detail; /* Slurm's reason or exit code; "": none */
    bool by_owner;      /* the user who runs this program cancelled it */
};

/* Record the failure of a unit whose element is lost. The unit is over then. */
static int record_lost(struct slurm_work *s, struct tracked *t, const struct lost_element *lost,
                       struct err *e)
{
    const char *node = *lost->node ? lost->node : t->node;
    char tag[64];
    tracking_tag(t->job, t->task, tag, sizeof tag);
    char *reason = *lost->state
                       ? xasprintf("Slurm: %s%s%s (%s%s%s, job %s)", explanation(lost->state),
                                   *node ? " on " : "", node, lost->state,
                                   *lost->detail ? ", " : "", lost->detail, tag)
                       : xasprintf("Slurm no longer knows job %s%s%s, and it left no result", tag,
                                   *node ? ", last seen on " : "", node);
    const struct attempt_failure f = {.tag = tag,
                                      .reason = reason,
                                      .host = node,
                                      .node = *node ? node : NULL,
                                      .cancelled = lost->by_owner};
    int rc = attempt_fail(s->in->r->dir, work_unit_id(s, t->unit), &f, e);
    if (rc == 0) {
        if (f.cancelled)
            notes_once(&s->notes, "jobs were cancelled in Slurm: their units are not repeated now; "
                                  "`paragrade resume` runs them");
        over(s, t, reason);
    }
    free(reason);
    return rc;
}

/* Was the element cancelled by the user who runs this program? Then it is not repeated unasked.
 * Only accounting knows the user. User 0 may be Slurm itself, which cancels what a node could not
 * start. */
static bool cancelled_by_owner(const struct slurm_element *x)
{
    return strcmp(x->state, "CANCELLED") == 0 && x->by > 0 && (uid_t)x->by == getuid();
}

static bool is_lost(const struct tracked *t)
{
    uint64_t grace = UINT64_C(1000000) * (t->completing ? COMPLETING_MS : GRACE_MS);
    return !t->over && t->absent >= 2 && clock_mono_ns() - t->absent_since >= grace;
}

/* Find out what became of elements that left the queue without a result, and record their failure.
 * For those that left no record themselves Slurm is asked, once for all of them. */
static int explain_lost(struct slurm_work *s, struct err *e)
{
    struct strbuf ids = STRBUF_INIT;
    long last = 0;
    int rc = 0;
    for (unsigned i = 0; i < s->tracked.count; i++) {
        struct tracked *t = &s->tracked.item[i];
        char tag[64];
        if (!is_lost(t))
            continue;
        tracking_tag(t->job, t->task, tag, sizeof tag);
        if (attempt_has_result(s->in->r->dir, work_unit_id(s, t->unit)))
            continue;
        if (attempt_has_failure(s->in->r->dir, work_unit_id(s, t->unit), tag)) {
            over(s, t, "no verdict (the attempt failed, or needs another job)");
            continue;
        }
        if (t->job != last) /* units are tracked array by array: few doubles remain */
            strbuf_addf(&ids, "%s%ld", ids.len ? "," : "", t->job);
        last = t->job;
    }
    if (ids.len) {
        struct slurm_list l;
        char why[SLURM_WHY] = "";
        enum slurm_answer a = slurm_history(ids.s, &l, why);
        for (unsigned i = 0; i < s->tracked.count && rc == 0; i++) {
            struct tracked *t = &s->tracked.item[i];
            if (!is_lost(t) || attempt_has_result(s->in->r->dir, work_unit_id(s, t->unit)))
                continue;
            const struct slurm_element *x = slurm_list_find(&l, t->job, t->task);
            if (x && slurm_unfinished(x->state) && strcmp(x->state, "COMPLETING") != 0)
                t->absent = 0; /* it is still there: the list of the queue was not complete */
            else if (x)
                rc = record_lost(s, t,
                                 &(struct lost_element){.state = x->state,
                                                        .node = x->node,
                                                        .detail = x->reason,
                                                        .by_owner = cancelled_by_owner(x)},
                                 e);
            else if (a != SLURM_SILENT || ++t->explained >= EXPLAIN_TRIES)
                rc = record_lost(s, t,
                                 &(struct lost_element){.state = "", .node = "", .detail = ""}, e);
        }
        slurm_list_free(&l);
    }
    strbuf_free(&ids);
    return rc;
}

/* --- watching ----------------------------------------------------------------------------- */

static void note_measuring(struct slurm_work *s)
{
    struct node_measuring_list l;
    node_measuring_load(s->in->r->dir, &l);
    if (l.count)
        notes_once(&s->notes,
                   "nodes that are new to this run are measured first; their units start "
                   "after that (`paragrade status` names the nodes)");
    node_measuring_free(&l);
}

void watch_results(struct slurm_work *s)
{
    note_measuring(s);
    for (unsigned i = 0; i < s->tracked.count; i++) {
        struct tracked *t = &s->tracked.item[i];
        if (t->over || !attempt_has_result(s->in->r->dir, work_unit_id(s, t->unit)))
            continue;
        char *path = rundir_result(s->in->r->dir, work_unit_id(s, t->unit));
        struct unit_result *res = NULL;
        over(s, t,
             unit_result_load(path, &res, NULL) == 0 ? verdict_name(res->verdict)
                                                     : "damaged result");
        unit_result_free(res);
        free(path);
    }
    s->next_results = moment_in_ms(s->contact.poll_ms < DISK_MS ? s->contact.poll_ms : DISK_MS);
}

/* Is it a reason for which jobs wait in the normal course of things? Others are told to people. */
static bool ordinary(const char *reason)
{
    static const char *const known[] = {"None",
                                        "Priority",
                                        "Resources",
                                        "Dependency",
                                        "BeginTime",
                                        "JobArrayTaskLimit",
                                        "Cleaning",
                                        "Prolog",
                                        "QOSMaxJobsPerUserLimit",
                                        "QOSMaxCpuPerUserLimit",
                                        "AssocMaxJobsLimit"};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (strcmp(reason, known[i]) == 0)
            return true;
    return !*reason;
}

/* A job that repeats a unit avoids the nodes that failed. If the other nodes cannot run it, because
 * they are drained or down, it may run there after all: the node may be well again. */
static void allow_all_nodes(struct slurm_work *s, const struct tracked *waiting)
{
    if (waiting->any_node)
        return;
    const long job = waiting->job;
    slurm_allow_all_nodes(job);
    for (unsigned i = 0; i < s->tracked.count; i++)
        if (s->tracked.item[i].job == job)
            s->tracked.item[i].any_node = true;
}

static int see_element(struct slurm_work *s, struct tracked *t, const struct slurm_element *x,
                       struct err *e)
{
    t->completing = x && strcmp(x->state, "COMPLETING") == 0;
    if (!x || t->completing) {
        if (!t->absent++)
            t->absent_since = clock_mono_ns();
        return 0;
    }
    t->absent = 0;
    t->running = strcmp(x->state, "RUNNING") == 0;
    if (x->node[0])
        snprintf(t->node, sizeof t->node, "%s", x->node);
    if (strstr(x->reason, "requeued held") || strstr(x->reason, "requeued_held")) {
        /* The node could not start it, and Slurm will not start it again. */
        char *id = xasprintf("%ld_%ld", t->job, t->task);
        slurm_cancel(&id, 1);
        free(id);
        const struct lost_element lost = {
            .state = "LAUNCH_FAILED", .node = x->node, .detail = x->reason};
        return record_lost(s, t, &lost, e);
    }
    if (strcmp(x->state, "PENDING") == 0 && !ordinary(x->reason)) {
        if (strncmp(x->reason, "ReqNodeNotAvail", strlen("ReqNodeNotAvail")) == 0)
            allow_all_nodes(s, t);
        char *text = xasprintf("Slurm keeps jobs of this run waiting: %s", x->reason);
        notes_once(&s->notes, text);
        free(text);
    }
    return 0;
}

int watch_queue(struct slurm_work *s, struct err *e)
{
    struct slurm_list l;
    int answered = work_ask_queue(s, &l, e), rc = 0;
    if (answered != 1)
        return answered;
    for (unsigned i = 0; i < s->tracked.count && rc == 0; i++)
        if (!s->tracked.item[i].over)
            rc = see_element(s, &s->tracked.item[i], work_find(&s->jobs, &l, &s->tracked.item[i]),
                             e);
    slurm_list_free(&l);
    return rc == 0 ? explain_lost(s, e) : rc;
}
