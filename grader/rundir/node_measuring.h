/*
 * node_measuring.h - which proctors are measuring the record of their node right now. This is only
 * told to people: nothing depends on it.
 */
#ifndef RUNDIR_NODE_MEASURING_H
#define RUNDIR_NODE_MEASURING_H

/* All strings are owned. */
struct node_measuring {
    char *node;
    char *yardstick;
    char *job;   /* Slurm's, or local-... */
    char *since; /* UTC */
};

struct node_measuring_list {
    struct node_measuring *item;
    unsigned count;
};

/* Leave a notice in the run directory; a failure is of no consequence. The result is for
 * node_measuring_end(), which removes the notice. */
char *node_measuring_begin(const char *run, const char *node, const char *yardstick,
                           const char *job);
void node_measuring_end(char *notice);

/* All notices about records that do not exist yet. Those of killed proctors are among them: whoever
 * knows which jobs are alive must leave them out. */
void node_measuring_load(const char *run, struct node_measuring_list *out);
void node_measuring_free(struct node_measuring_list *l);

#endif
