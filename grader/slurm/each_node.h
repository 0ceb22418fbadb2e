/*
 * each_node.h - run one script on each of some nodes, as one job a node, and wait for all of them.
 */
#ifndef SLURM_EACH_NODE_H
#define SLURM_EACH_NODE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "slurm/submit.h"

struct each_node_job {
    const char *node;
    char *const *args;   /* of the script, NULL-terminated */
    long job;            /* 0: not submitted */
    bool started;        /* it was seen running, or has ended */
    bool cancelled;      /* it had not started when the time was up */
    bool queued;         /* it was in the queue when Slurm was last asked */
    bool seen;           /* it was then in the queue by its name, so the number is right */
    bool unended;        /* nobody waits for its end any longer */
    char reason[160];    /* why it waited when it was last seen waiting, in Slurm's word */
    char why[SLURM_WHY]; /* Slurm's word, if it refuses the job */
};

struct each_node {
    const char *script, *name; /* the job on a node is called NAME-NODE, and no other job is */
    const char *chdir;         /* logs go there, as NODE.log */
    struct resources res;      /* borrowed */
    struct each_node_job *job;
    size_t count;
    int64_t poll_ms;  /* between two questions */
    int64_t limit_ms; /* then the jobs that have not started are cancelled */
    int64_t end_ms;   /* then all are cancelled: they have not ended, or Slurm does not answer */
};

/* 0: no job is left in the queue, or the time is over; 1: told to stop, and all jobs were
 * cancelled; -1 with e: Slurm refuses every job. */
int each_node_run(struct each_node *t, struct err *e);

#endif
