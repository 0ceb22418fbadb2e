#include "slurm/watch.h"

#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/strbuf.h"
#include "rundir/attempts.h"
#include "rundir/claim.h"
#include "rundir/node_measuring.h"
#include "rundir/paths.h"
#include "rundir/result_file.h"
#include "slurm/lost.h"

enum {
    DISK_MS = 1000, /* between two looks for announcements */
    /* Between two looks at every unit: so long for each of them, and never longer than the latter.
     */
    SCAN_UNIT_MS = 30,
    SCAN_MOST_MS = 600000,
};

/* --- results on disk ---------------------------------------------------------------------- */

static void note_measuring(struct slurm_work *s)
{
    FREED_BY(node_measuring_free) struct node_measuring_list l = {0};
    node_measuring_load(s->in->r->dir, &l);
    if (l.count && !s->in->o->quiet)
        notes_once(&s->notes,
                   "nodes that are new to this run are measured first; their units start "
                   "after that (`paragrade status` names the nodes)");
}

/* Look whether a unit has a result. `verdict`: as announced; NULL: read it. */
static void look(struct slurm_work *s, struct tracked *t, const char *verdict)
{
    const char *id = work_unit_id(s, t->unit);
    if (!attempt_has_result(s->in->r->dir, id))
        return;
    if (verdict) {
        lost_over(s, t, verdict);
        return;
    }
    OWNED char *path = rundir_result(s->in->r->dir, id);
    struct unit_result *res = NULL;
    lost_over(s, t,
              unit_result_load(path, &res, NULL) == 0 ? verdict_name(res->verdict)
                                                      : "damaged result");
    unit_result_free(res);
}

static void look_for_failure(struct slurm_work *s, struct tracked *t)
{
    char tag[CLAIM_TAG];
    claim_tag(t->array, tag);
    if (attempt_has_failure(s->in->r->dir, work_unit_id(s, t->unit), tag))
        lost_over(s, t, "no verdict (the attempt failed, or needs another job)");
}

static void hear(void *arg, const struct announcement *one)
{
    struct slurm_work *s = arg;
    const struct plan *p = s->in->r->plan;
    if ((unsigned)one->unit >= p->units_count || strcmp(p->units[one->unit].id, one->id) != 0)
        return;
    struct tracked *t = tracking_find(&s->tracked, one->unit);
    enum verdict v;
    if (!t || t->array != one->array)
        return;
    t->task = one->task;
    t->left = false;
    if (one->verdict)
        look(s, t, verdict_parse(one->verdict, &v) ? one->verdict : NULL);
    if (one->verdict && !t->over)
        look_for_failure(s, t);
}

/* Look at all units that are not over, as if nothing had been announced. */
static void scan(struct slurm_work *s)
{
    unsigned open = 0;
    for (unsigned i = 0; i < s->tracked.count; i++) {
        struct tracked *t = &s->tracked.item[i];
        if (t->over)
            continue;
        open++;
        look(s, t, NULL);
        if (!t->over && t->task < 0)
            t->task = claim_task(s->in->r->dir, t->array, work_unit_id(s, t->unit));
    }
    int64_t ms = (int64_t)open * SCAN_UNIT_MS;
    ms = ms < DISK_MS ? DISK_MS : ms > SCAN_MOST_MS ? SCAN_MOST_MS : ms;
    s->next_scan = moment_in_ms(ms);
}

void watch_results(struct slurm_work *s)
{
    note_measuring(s);
    announcements_read(s->in->r->dir, &s->announced, hear, s);
    if (moment_passed(s->next_scan))
        scan(s);
    s->next_results = moment_in_ms(s->contact.poll_ms < DISK_MS ? s->contact.poll_ms : DISK_MS);
}

void watch_tell(struct slurm_work *s)
{
    unsigned running = 0, queued = 0;
    for (unsigned i = 0; i < s->tracked.count; i++) {
        const struct tracked *t = &s->tracked.item[i];
        if (t->over)
            continue;
        const bool begun = t->task >= 0, waits = !begun && !t->left;
        running += begun;
        queued += waits;
        s->grid.unit[t->unit].stage = begun ? UNIT_RUNS : waits ? UNIT_QUEUED : UNIT_TO_DO;
    }
    const size_t rest = s->notes.progress.total - s->tracked.over - running - queued;
    char submit[48] = "";
    if (rest)
        snprintf(submit, sizeof submit, ", %zu to submit", rest);
    progress_update(&s->notes.progress, s->tracked.over, "%u running, %u queued%s", running, queued,
                    submit);
}

/* --- elements in the queue ---------------------------------------------------------------- */

/* A job that repeats a unit avoids the nodes that failed. If the other nodes cannot run it, because
 * they are drained or down, it may run there after all: the node may be well again. */
static void allow_all_nodes(struct slurm_job *j)
{
    if (!j->any_node)
        slurm_allow_all_nodes(j->job);
    j->any_node = true;
}

/* A node could not start an element, and Slurm will not start it again. */
static int end_held(struct slurm_work *s, struct slurm_job *j, const struct slurm_element *x,
                    struct err *e)
{
    int rc = slurm_job_hold(s->in->r->dir, j, x->task, x->node, e);
    if (rc != 0)
        return rc;
    OWNED char *id = xasprintf("%ld_%ld", x->job, x->task);
    slurm_cancel(j->name, &id, 1);
    for (unsigned i = 0; i < s->tracked.count && rc == 0; i++) {
        struct tracked *t = &s->tracked.item[i];
        const struct lost_element lost = {
            .state = "LAUNCH_FAILED", .node = x->node, .detail = x->reason};
        if (!t->over && t->array == j->number && t->task == x->task)
            rc = lost_record(s, t, &lost, e);
    }
    return rc;
}

static int see_element(struct slurm_work *s, const struct slurm_element *x, struct err *e)
{
    struct slurm_job *j = work_array_of(&s->jobs, x);
    if (!j)
        return 0;
    if (slurm_is_held(x))
        return end_held(s, j, x, e);
    if (strcmp(x->state, "PENDING") == 0 && !slurm_ordinary_reason(x->reason)) {
        if (strncmp(x->reason, "ReqNodeNotAvail", strlen("ReqNodeNotAvail")) == 0)
            allow_all_nodes(j);
        OWNED char *text = xasprintf("Slurm keeps jobs of this run waiting: %s", x->reason);
        notes_once(&s->notes, text);
    }
    return 0;
}

/* Is an element at work on the unit, or may one still take it? */
static void see_unit(struct tracked *t, const struct slurm_element *x)
{
    t->completing = x && strcmp(x->state, "COMPLETING") == 0;
    if (!x || t->completing) {
        if (!t->absent++)
            t->absent_since = clock_mono_ns();
        return;
    }
    tracking_seen(t);
    if (t->task >= 0 && x->node[0])
        snprintf(t->node, sizeof t->node, "%s", x->node);
}

int watch_queue(struct slurm_work *s, struct err *e)
{
    struct slurm_list l;
    int answered = work_ask_queue(s, &l, e), rc = 0;
    if (answered != 1)
        return answered;
    for (size_t i = 0; i < l.count && rc == 0; i++)
        rc = see_element(s, &l.item[i], e);
    for (unsigned i = 0; i < s->tracked.count && rc == 0; i++)
        if (!s->tracked.item[i].over && !s->tracked.item[i].left)
            see_unit(&s->tracked.item[i], work_find(&s->jobs, &l, &s->tracked.item[i]));
    slurm_list_free(&l);
    return rc == 0 ? lost_explain(s, e) : rc;
}
