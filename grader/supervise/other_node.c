#include "supervise/other_node.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "model/protection.h"
#include "supervise/stop.h"

enum { ANSWER_LIMIT_MS = 60000, SOON_MS = 100, LOOK_MS = 1000 };

struct other_node *other_node_named(struct other_nodes *all, const char *name)
{
    for (unsigned i = 0; all && i < all->count; i++)
        if (strcmp(all->node[i].name, name) == 0)
            return &all->node[i];
    return NULL;
}

static bool lost(struct other_node *n, struct outcome *o)
{
    if (n->sock >= 0)
        close(n->sock);
    n->sock = -1;
    n->failed = true;
    outcome_set(o, OUTCOME_NOT_STARTED, "the proctor of node %s is gone", n->name);
    o->elsewhere = true;
    return false;
}

static bool await_answer(struct other_node *n, struct node_answer *a, struct outcome *o)
{
    struct node_message m;
    if (n->sock < 0 || node_receive(n->sock, &m, clock_deadline_ms(ANSWER_LIMIT_MS)) != 0)
        return lost(n, o);
    const bool ok = m.type == NODE_ANSWER && m.size == sizeof *a;
    if (ok)
        memcpy(a, m.bytes, sizeof *a);
    free(m.bytes);
    if (!ok)
        return lost(n, o);
    a->text[sizeof a->text - 1] = '\0';
    if (a->outcome == OUTCOME_OK)
        return true;
    outcome_set(o, (enum outcome_kind)a->outcome, "node %s: %s", n->name, a->text);
    o->elsewhere = a->outcome == OUTCOME_NOT_STARTED && !a->perhaps_code;
    n->failed = n->failed || a->outcome == OUTCOME_NOT_STARTED;
    o->code_ran = a->perhaps_code;
    o->memory = a->memory;
    o->processes = a->processes;
    o->processes_most = a->processes_most;
    return false;
}

bool other_node_ask(struct other_node *n, enum node_question type, const void *first,
                    size_t first_size, const void *second, size_t second_size,
                    struct node_answer *answer, struct outcome *o)
{
    if (n->sock < 0 || node_send(n->sock, type, first, first_size, second, second_size) != 0)
        return lost(n, o);
    return await_answer(n, answer, o);
}

/* Until it answers, the proctor is told to stop, or the connection ends. */
static bool answers_at_last(const struct other_node *n, void (*waiting_for)(const char *node))
{
    struct pollfd p = {n->sock, POLLIN, 0};
    int ready = poll(&p, 1, SOON_MS);
    if (ready <= 0)
        waiting_for(n->name);
    while (ready <= 0 && !proctor_stop)
        ready = poll(&p, 1, LOOK_MS);
    return ready > 0;
}

void other_node_lock(struct other_node *n, const struct node_lock *l, const char *run,
                     void (*waiting_for)(const char *node))
{
    struct node_answer a;
    struct outcome o = {0};
    if (n->sock < 0)
        return;
    if (node_send(n->sock, NODE_LOCK, l, sizeof *l, run, strlen(run) + 1) != 0 ||
        !answers_at_last(n, waiting_for))
        lost(n, &o);
    else
        await_answer(n, &a, &o);
}

static void tell(struct other_nodes *all, enum node_question type)
{
    for (unsigned i = 0; all && i < all->count; i++)
        if (all->node[i].spawned && all->node[i].sock >= 0)
            node_send(all->node[i].sock, type, NULL, 0, NULL, 0);
}

bool other_nodes_answer(struct other_nodes *all, struct outcome *o)
{
    bool ok = true;
    for (unsigned i = 0; all && i < all->count; i++)
        if (all->node[i].spawned)
            ok = await_answer(&all->node[i], &all->node[i].halted, o) && ok;
    return ok;
}

/* All are asked before the first answer is awaited. */
bool other_nodes_ask(struct other_nodes *all, enum node_question type, struct outcome *o)
{
    tell(all, type);
    return other_nodes_answer(all, o);
}

bool other_nodes_ranks(struct other_nodes *all, unsigned *protections, struct outcome *o)
{
    const bool ok = other_nodes_ask(all, NODE_RANKS, o);
    for (unsigned i = 0; ok && all && i < all->count; i++) {
        if (all->node[i].spawned) /* the filters of all ranks are those that rank 0 reports */
            *protections &= all->node[i].halted.protections | PROTECTION_BIT(PROTECTION_SECCOMP);
        all->node[i].awake = true;
    }
    return ok;
}

/* They go on from now on, or not. False: they did already. */
static bool turn(struct other_nodes *all, bool awake)
{
    bool some = false;
    for (unsigned i = 0; all && i < all->count; i++) {
        some = some || (all->node[i].spawned && all->node[i].awake != awake);
        all->node[i].awake = awake;
    }
    if (some)
        tell(all, awake ? NODE_RESUME : NODE_HALT);
    return some;
}

bool other_nodes_resume(struct other_nodes *all, struct outcome *o)
{
    return !turn(all, true) || other_nodes_answer(all, o);
}

bool other_nodes_halt(struct other_nodes *all)
{
    return turn(all, false);
}

bool other_nodes_asked(const struct other_nodes *all, int nodes)
{
    for (int i = 0; i + 1 < nodes; i++)
        if (!all->node[i].spawned)
            return false;
    return true;
}

const char *other_nodes_failed(struct other_nodes *all)
{
    const char *name = NULL;
    for (unsigned i = 0; i < all->count; i++) {
        name = all->node[i].failed ? all->node[i].name : name;
        all->node[i].failed = false;
    }
    return name;
}

void other_nodes_end(struct other_nodes *all)
{
    struct outcome ignored;
    other_nodes_ask(all, NODE_END, &ignored);
    for (unsigned i = 0; all && i < all->count; i++)
        all->node[i].spawned = all->node[i].awake = false;
}
