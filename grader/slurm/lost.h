/*
 * lost.h - units whose array element has left the queue without a result: what became of them.
 */
#ifndef SLURM_LOST_H
#define SLURM_LOST_H

#include "slurm/work.h"

/* The unit is over: say so. */
void lost_over(struct slurm_work *s, struct tracked *t, const char *what);

/* What Slurm says about an array element that is lost. No string is NULL. */
struct lost_element {
    const char *state;  /* "": Slurm no longer knows the element */
    const char *node;   /* "": not said, the node where the queue showed it last is taken */
    const char *detail; /* Slurm's reason or exit code; "": none */
    const char *said;   /* the last line of its log, if it ended before a grader began; or NULL */
    bool by_owner;      /* the user who runs this program cancelled it */
};

/* Record the failure of a unit whose element is lost. The unit is over then. If its owner cancelled
 * it before this call, that counts as no failure, and the unit is `left`. */
int lost_record(struct slurm_work *s, struct tracked *t, const struct lost_element *lost,
                struct err *e);

/* Find out what became of units whose elements have left the queue for good. Those that left no
 * record themselves: Slurm is asked, once for all of them, and their failure is recorded. A unit
 * that no element took is `left`, as long as its array got on at all. */
int lost_explain(struct slurm_work *s, struct err *e);

#endif
