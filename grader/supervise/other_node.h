/*
 * other_node.h - the proctor of another node of the job, as the head node sees it. It holds the
 * ranks of its node as its own children, in the same sandbox and under the same limits. It knows
 * neither the plan nor the seed nor any values; clock and verdict stay on the head node.
 *
 * One is started for each node of a job, when a launch first needs it. It ends when its connection
 * ends, with everything that it has started.
 */
#ifndef SUPERVISE_OTHER_NODE_H
#define SUPERVISE_OTHER_NODE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "supervise/node_message.h"
#include "supervise/outcome.h"

struct other_node {
    char *name;       /* as Slurm has it; owned */
    pid_t step;       /* srun */
    int sock;         /* -1: gone */
    char address[64]; /* its own, in numbers */
    bool spawned;     /* in the current start */
    bool awake;
    struct node_answer halted; /* of the last halt */
    bool failed;               /* since other_nodes_failed() */
};

/* Starts as zeros. */
struct other_nodes {
    struct other_node *node;
    unsigned count;
    char *head;            /* the name of this node; owned */
    char head_address[64]; /* of this node, as the others see it */
    int network_bits;      /* of that address: so many are those of its network */
};

struct other_node *other_node_named(struct other_nodes *all, const char *name);

/* Ask one, and await the answer. False with *o filled when the node is gone, or has a complaint. */
bool other_node_ask(struct other_node *n, enum node_question type, const void *first,
                    size_t first_size, const void *second, size_t second_size,
                    struct node_answer *answer, struct outcome *o);

/* Take the timing lock there, or give it up. It may take as long as others time something:
 * `waiting_for` is told when it does not come soon. */
void other_node_lock(struct other_node *n, const struct node_lock *l, const char *run,
                     void (*waiting_for)(const char *node));

/* Ask all that hold ranks. `all` may be NULL. */
bool other_nodes_ask(struct other_nodes *all, enum node_question type, struct outcome *o);

/* Has the launcher asked for all of the nodes in this start? */
bool other_nodes_asked(const struct other_nodes *all, int nodes);

/* All ranks have started there. *protections: what all of them have. */
bool other_nodes_ranks(struct other_nodes *all, unsigned *protections, struct outcome *o);

/* The ranks there go on. Nothing is done where they do already. */
bool other_nodes_resume(struct other_nodes *all, struct outcome *o);

/* They are told to stop. True: other_nodes_answer() must be called. */
bool other_nodes_halt(struct other_nodes *all);

/* Await the answers of all that hold ranks. */
bool other_nodes_answer(struct other_nodes *all, struct outcome *o);

/* The name of one that is to blame for a failure since the last call; NULL: there is none. */
const char *other_nodes_failed(struct other_nodes *all);

/* End what the current start holds there. */
void other_nodes_end(struct other_nodes *all);

#endif
