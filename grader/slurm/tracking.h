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
    long job;
    long task; /* index of the element that took it; -1: nobody has, as far as is known */
    bool over; /* there is a result or a record of failure */
    bool left; /* its array has ended before an element took it: it goes into another one */
    char node[96];
    int absent;            /* queries in a row that showed neither its element nor, if nobody took
                              it, another one of its array */
    uint64_t absent_since; /* monotonic, in ns */
    bool completing;
    bool earlier;  /* its element was gone when somebody asked for this call */
    int explained; /* how often Slurm was asked what became of it */
};

struct tracking {
    struct tracked *item;
    unsigned count;
    unsigned over;
    int *at; /* by plan index: the place in item, or -1 */
};

/* For a plan of so many units. */
void tracking_init(struct tracking *l, unsigned units);
/* Track a unit of an array, from now on in this array alone. The pointer is good until the next
 * unit is added. */
struct tracked *tracking_add(struct tracking *l, int unit, const struct slurm_job *array);
void tracking_free(struct tracking *l);
/* An element of the unit is in the queue after all. */
void tracking_seen(struct tracked *t);
/* The entry of a unit that is not over; NULL: there is none. */
struct tracked *tracking_find(const struct tracking *l, int unit);
/* Is a unit in no array, or left by its array? */
bool tracking_needs_array(const struct tracking *l, int unit);
bool tracking_any_left(const struct tracking *l);
void tracking_over(struct tracking *l, struct tracked *t);
/* Is every unit over or in the queue? */
bool tracking_all_placed(const struct tracking *l);
bool tracking_all_over(const struct tracking *l);

#endif
