#include "slurm/lost.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fsio.h"
#include "base/json.h"
#include "base/strbuf.h"
#include "execute/stop.h"
#include "rundir/attempts.h"
#include "rundir/claim.h"

enum {
    GRACE_MS = 5000,       /* between leaving the queue and being called lost: NFS is slow */
    COMPLETING_MS = 30000, /* the same for an element that stays in state COMPLETING */
    EXPLAIN_TRIES = 3,
    LOG_MOST = 1 << 20,
};

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

void lost_over(struct slurm_work *s, struct tracked *t, const char *what)
{
    struct unit_now *now = &s->grid.unit[t->unit];
    tracking_over(&s->tracked, t);
    now->stage = verdict_parse(what, &now->verdict) ? UNIT_DONE : UNIT_NO_VERDICT;
    progress_update(&s->notes.progress, s->tracked.over, "%s: %s", work_unit_id(s, t->unit), what);
}

int lost_record(struct slurm_work *s, struct tracked *t, const struct lost_element *lost,
                struct err *e)
{
    const char *node = *lost->node ? lost->node : t->node;
    /* Of several nodes, the one that ran the script. Which of them Slurm lost is not said. */
    OWNED char *first = strcmp(lost->state, "FAILED") == 0 ? slurm_first_node(node) : NULL;
    const char *blamed = first ? first : node;
    char tag[CLAIM_TAG], element[64];
    claim_tag(t->array, tag);
    if (t->task >= 0)
        snprintf(element, sizeof element, "%ld_%ld", t->job, t->task);
    else
        snprintf(element, sizeof element, "%ld", t->job);
    OWNED char *reason =
        *lost->state
            ? xasprintf("Slurm: %s%s%s (%s%s%s, job %s)%s%s", explanation(lost->state),
                        *node ? " on " : "", node, lost->state, *lost->detail ? ", " : "",
                        lost->detail, element, lost->said ? ": " : "", lost->said ? lost->said : "")
            : xasprintf("Slurm no longer knows job %s%s%s, and it left no result", element,
                        *node ? ", last seen on " : "", node);
    /* Somebody has asked for this call after the cancellation, so the unit is wanted again. */
    const bool again = lost->by_owner && t->earlier;
    const struct attempt_failure f = {.tag = tag,
                                      .reason = reason,
                                      .host = node,
                                      .node = *blamed ? blamed : NULL,
                                      .cancelled = lost->by_owner && !again,
                                      .postponed = again};
    int rc = attempt_fail(s->in->r->dir, work_unit_id(s, t->unit), &f, e);
    if (rc == 0 && again) {
        notes_once(&s->notes, "jobs of this run were cancelled in Slurm before this call: their "
                              "units are submitted again");
        t->left = true;
    } else if (rc == 0) {
        if (f.cancelled)
            notes_once(&s->notes, "jobs were cancelled in Slurm: their units are not repeated now; "
                                  "`paragrade resume` runs them");
        lost_over(s, t, reason);
    }
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
    return !t->over && !t->left && t->absent >= 2 && clock_mono_ns() - t->absent_since >= grace;
}

/* What the answer says about the elements of an array all together. */
struct ending {
    const struct slurm_element *any;
    const struct slurm_element *cancelled; /* the user cancelled what was left of the array */
    bool unfinished;
};

/* By itself, or because this program cancelled what a node could not start. */
static bool ended_itself(const struct slurm_job *j, const struct slurm_element *x)
{
    OWNED char *node = slurm_job_held(j, x->task);
    return node || !cancelled_by_owner(x);
}

/* The user cancelled what was left if no element ended itself after the last one that he cancelled.
 * Otherwise the user wanted to end this element alone. */
static struct ending ending_of(const struct slurm_list *l, const struct slurm_job *j)
{
    struct ending end = {0};
    const char *last = "";
    for (size_t i = 0; i < l->count; i++) {
        const struct slurm_element *x = &l->item[i];
        if (x->job != j->job)
            continue;
        end.any = x;
        if (slurm_unfinished(x->state) && strcmp(x->state, "COMPLETING") != 0)
            end.unfinished = true;
        if (ended_itself(j, x))
            last = strcmp(x->end, last) > 0 ? x->end : last;
        else if (!end.cancelled || strcmp(x->end, end.cancelled->end) > 0)
            end.cancelled = x;
    }
    if (end.cancelled && strcmp(end.cancelled->end, last) < 0)
        end.cancelled = NULL;
    return end;
}

static int record_as(struct slurm_work *s, struct tracked *t, const struct slurm_element *x,
                     bool by_owner, struct err *e)
{
    const struct lost_element lost = {
        .state = x->state, .node = x->node, .detail = x->reason, .by_owner = by_owner};
    return lost_record(s, t, &lost, e);
}

/* The last line of an element's log, or NULL. What starts a grader writes there, such as
 * sbatch/with-modules. The caller frees it. */
static char *last_words(const char *run, const struct slurm_job *j, long task)
{
    OWNED char *suffix = xasprintf("-%ld.log", task), *path = slurm_job_path(run, j, suffix);
    char *text = NULL, *said = NULL;
    size_t n;
    if (fs_read(path, LOG_MOST, &text, &n, NULL) == 0) {
        while (n && strchr("\r\n ", text[n - 1]))
            text[--n] = '\0';
        const char *line = strrchr(text, '\n');
        json_auto_t *safe = json_printable(line ? line + 1 : text);
        if (n)
            said = xasprintf("%.200s", json_string_value(safe));
    }
    free(text);
    return said;
}

/* No element took a unit, and this one failed: before a grader began. */
static int record_failed_start(struct slurm_work *s, struct tracked *t,
                               const struct slurm_element *x, struct err *e)
{
    OWNED char *said = strcmp(x->state, "FAILED") == 0
                           ? last_words(s->in->r->dir, work_array(&s->jobs, t), x->task)
                           : NULL;
    const struct lost_element lost = {.state = x->state,
                                      .node = x->node,
                                      .detail = x->reason,
                                      .said = said,
                                      .by_owner = cancelled_by_owner(x)};
    return lost_record(s, t, &lost, e);
}

/* An element took the unit, and is lost. */
static int explain_taken(struct slurm_work *s, struct tracked *t, const struct slurm_list *l,
                         bool silent, struct err *e)
{
    const struct slurm_element *x = slurm_list_find(l, t->job, t->task);
    if (x && slurm_unfinished(x->state) && strcmp(x->state, "COMPLETING") != 0)
        tracking_seen(t); /* it is still there: the list of the queue was not complete */
    else if (x) /* without a node, it waited to run again, and a proctor of this run cancelled it */
        return record_as(s, t, x, *x->node && cancelled_by_owner(x), e);
    else if (!silent || ++t->explained >= EXPLAIN_TRIES)
        return lost_record(s, t, &(struct lost_element){.state = "", .node = "", .detail = ""}, e);
    return 0;
}

/* All elements of the unit's array are gone, and none took it. That is nobody's failure when some
 * of them took other units: then they had no time left, or died. */
static int explain_untaken(struct slurm_work *s, struct tracked *t, const struct slurm_list *l,
                           bool silent, struct err *e)
{
    const struct slurm_job *j = work_array(&s->jobs, t);
    const struct ending end = ending_of(l, j);
    OWNED char *held = slurm_job_held(j, -1);
    int rc = 0;
    if (end.unfinished)
        tracking_seen(t);
    else if (end.cancelled)
        rc = record_as(s, t, end.cancelled, true, e);
    else if (silent && !end.any && !held && ++t->explained < EXPLAIN_TRIES)
        rc = 0;
    else if (claim_any(s->in->r->dir, t->array))
        t->left = true;
    else if (held)
        rc = lost_record(
            s, t, &(struct lost_element){.state = "LAUNCH_FAILED", .node = held, .detail = ""}, e);
    else if (end.any)
        rc = record_failed_start(s, t, end.any, e);
    else
        rc = lost_record(s, t, &(struct lost_element){.state = "", .node = "", .detail = ""}, e);
    return rc;
}

/* Does Slurm have to be asked about a unit? Looks at the disk once more. */
static bool must_ask(struct slurm_work *s, struct tracked *t)
{
    const char *run = s->in->r->dir, *id = work_unit_id(s, t->unit);
    char tag[CLAIM_TAG];
    claim_tag(t->array, tag);
    if (!is_lost(t) || attempt_has_result(run, id))
        return false;
    if (attempt_has_failure(run, id, tag)) {
        lost_over(s, t, "no verdict (the attempt failed, or needs another job)");
        return false;
    }
    if (t->task < 0)
        t->task = claim_task(run, t->array, id);
    return true;
}

int lost_explain(struct slurm_work *s, struct err *e)
{
    FREED_BY(strbuf_free) struct strbuf ids = STRBUF_INIT;
    OWNED bool *ask = xcalloc(s->tracked.count + 1, sizeof *ask);
    long last = 0;
    int rc = 0;
    for (unsigned i = 0; i < s->tracked.count; i++) {
        struct tracked *t = &s->tracked.item[i];
        ask[i] = must_ask(s, t);
        if (ask[i] && t->job != last) /* units are tracked array by array: few doubles remain */
            strbuf_addf(&ids, "%s%ld", ids.len ? "," : "", t->job);
        last = ask[i] ? t->job : last;
    }
    if (ids.len) {
        FREED_BY(slurm_list_free) struct slurm_list l = {0};
        char why[SLURM_WHY] = "";
        const bool silent = slurm_history(ids.s, &l, why) == SLURM_SILENT;
        /* If a signal has ended the question, that is no answer: nothing is concluded from it. */
        const unsigned heard = silent && execute_stop ? 0 : s->tracked.count;
        for (unsigned i = 0; i < heard && rc == 0; i++) {
            struct tracked *t = &s->tracked.item[i];
            /* Asking may have taken a while. */
            if (!ask[i] || attempt_has_result(s->in->r->dir, work_unit_id(s, t->unit)))
                continue;
            rc = t->task >= 0 ? explain_taken(s, t, &l, silent, e)
                              : explain_untaken(s, t, &l, silent, e);
        }
    }
    return rc;
}
