/*
 * tracking.h - the units that are in Slurm's hands, as far as this call of the executor knows.
 */
#ifndef SLURM_TRACKING_H
#define SLURM_TRACKING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "slurm/array.h"

struct tracked {
    int unit;  /* plan index */
    int array; /* number of its array's record */
    long job, task;
    bool over; /* there is a result or a record of failure */
    bool running;
    char node[96];
    int absent;            /* queries in a row that did not show it */
    uint64_t absent_since; /* monotonic, in ns */
    bool completing;
    int explained; /* how often Slurm was asked what became of it */
    bool any_node; /* its job may run on nodes that failed before */
};

/* Initialise with {0}. */
struct tracking {
    struct tracked *item;
    unsigned count;
    unsigned over;
};

/* The pointer is good until the next unit is added. */
struct tracked *tracking_add(struct tracking *l, int unit, const struct slurm_job *array,
                             long task);
void tracking_free(struct tracking *l);
/* Is the unit in Slurm's hands, and not over? */
bool tracking_has(const struct tracking *l, int unit);
/* Is every unit over or in the queue? */
bool tracking_all_placed(const struct tracking *l);
bool tracking_all_over(const struct tracking *l);
/* The tag of an array element's attempts: "12_3". */
void tracking_tag(long job, long task, char *out, size_t cap);

#endif
