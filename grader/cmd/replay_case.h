/*
 * replay_case.h - which case of which unit a command line means, and how the run's results say that
 * it failed.
 */
#ifndef CMD_REPLAY_CASE_H
#define CMD_REPLAY_CASE_H

#include "cmd/options.h"
#include "model/result.h"
#include "rundir/run.h"

struct replay_case {
    struct options given; /* of a case that nobody names, also what `again:` in the report says */
    int unit;
    int case_index;
    const char *number; /* of the case, or its size */
    const char *size;   /* of a case that is none of the assignment's, or NULL */
    enum cause cause;   /* of the failure, as the run's result tells it */
    /* The first launch under which it failed; without a failure, the first of the tier. */
    struct launch launch;
    bool answers; /* only the right answers are wanted, to values of this number */
    uint64_t values_number;
    /* What `again:` says, as text. */
    char of_number[SHAPE_TEXT], of_launch[LAUNCH_TEXT], of_seed[24], of_values[VALUES_NAME];
};

/* Is the first operand a run? UNIT may come without CASE. */
bool replay_names_run(const struct options *o);
/* Was the unit that is named run there? */
bool replay_means(const struct options *o, const struct run *r);

/* *c may point into o, and into itself. A case that is none of the assignment's is added to those
 * of the run. */
int replay_case_find(struct replay_case *c, const struct options *o, struct run *r, struct err *e);

/* Index of a launch among those of the tier, then the oversubscribed ones that detect races; -1:
 * the tier does not have it. */
int replay_launch_index(struct launch l, const struct assignment *a, const struct tier *t);

#endif
