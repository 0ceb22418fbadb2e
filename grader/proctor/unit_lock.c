#include "proctor/unit_lock.h"

#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "proctor/unit_driver.h"
#include "rundir/stage.h"

static struct node_lock asked(const struct node_context *n, enum node_lock_how how, struct launch l)
{
    return (struct node_lock){.how = how,
                              .quiet = n->run.assignment->performance.quiet_node,
                              .only_own = timing_lock_is_only_own(&n->timing_lock),
                              .workers = launch_workers(launch_on_node(l))};
}

static void say_waiting(const char *node)
{
    char words[STAGE_TEXT];
    snprintf(words, sizeof words, "waiting for other timed runs on node %.64s", node);
    stage_enter(words);
}

static void give_up_others(struct node_context *n, struct launch l)
{
    const struct node_lock none = asked(n, NODE_LOCK_NONE, l);
    for (int i = 0; i + 1 < l.nodes && i < (int)n->others.count; i++)
        other_node_lock(&n->others.node[i], &none, n->run.dir, say_waiting);
}

/* The next node of the launch whose name comes after `name`; NULL: there is none. */
static struct other_node *next(struct node_context *n, int nodes, const char *name)
{
    struct other_node *found = NULL;
    for (int i = 0; i + 1 < nodes && i < (int)n->others.count; i++) {
        struct other_node *o = &n->others.node[i];
        if (strcmp(o->name, name) > 0 && (!found || strcmp(o->name, found->name) < 0))
            found = o;
    }
    return found;
}

static void take(const struct unit_job *job, struct unit_state *s, struct launch l,
                 enum node_lock_how how)
{
    struct node_context *n = job->node;
    const uint64_t from = clock_mono_ns();
    bool here = false;
    uint64_t (*own)(struct timing_lock *) =
        how == NODE_LOCK_EXCLUSIVE ? timing_lock_exclusive : timing_lock_share;
    struct outcome ignored; /* the start of the driver will say it again */
    if (l.nodes <= 1 || !unit_driver_reach(job, l.nodes, &ignored)) {
        own(&n->timing_lock);
    } else {
        const struct node_lock wanted = asked(n, how, l);
        give_up_others(n, l);
        timing_lock_release(&n->timing_lock);
        for (struct other_node *o = next(n, l.nodes, ""); o; o = next(n, l.nodes, o->name)) {
            if (!here && strcmp(o->name, n->others.head) > 0) {
                own(&n->timing_lock);
                here = true;
            }
            other_node_lock(o, &wanted, n->run.dir, say_waiting);
        }
        if (!here)
            own(&n->timing_lock);
    }
    s->deadline += clock_mono_ns() - from;
    s->driver.unit_deadline = s->deadline;
}

void unit_lock_share(const struct unit_job *job, struct unit_state *s, struct launch l)
{
    take(job, s, l, NODE_LOCK_SHARED);
}

void unit_lock_exclusive(const struct unit_job *job, struct unit_state *s, struct launch l)
{
    take(job, s, l, NODE_LOCK_EXCLUSIVE);
}

void unit_lock_end(const struct unit_job *job, struct launch l)
{
    give_up_others(job->node, l);
    timing_lock_downgrade(&job->node->timing_lock);
}

struct launch unit_lock_widest(struct launch a, struct launch b)
{
    const int nodes = a.nodes > b.nodes ? a.nodes : b.nodes;
    const int most = launch_workers(launch_on_node(a)), other = launch_workers(launch_on_node(b)),
              workers = most > other ? most : other;
    return (struct launch){
        .ranks = workers * (nodes > 1 ? nodes : 1), .threads = 1, .nodes = nodes};
}
