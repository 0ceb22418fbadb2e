/*
 * claim.h - how the elements of a job array share its units: each takes the next unit that nobody
 * has taken yet.
 *
 * A unit is taken by the record that its attempt starts, units/UNIT/attempt-a<N>.json, where N is
 * the number of the array's record. Only one process can create this file, whatever the file
 * system. It says which element took the unit, and it stays: if this element dies, the front end
 * finds that the unit has neither a result nor a record of failure, and puts it into a later array.
 *
 * So that nobody looks through all units again and again, slurm/array-<N>.next holds a number: all
 * units before it are taken. It is only a hint. Without it, or with an old one, claiming takes
 * longer.
 */
#ifndef RUNDIR_CLAIM_H
#define RUNDIR_CLAIM_H

#include <stdbool.h>

#include "base/err.h"
#include "rundir/job_record.h"

enum { CLAIM_TAG = 16 };

/* The tag of the attempts at the units of an array: "a3". */
void claim_tag(int array, char tag[CLAIM_TAG]);

/* Who takes units. Strings belong to the caller. */
struct claimer {
    const char *run; /* directory */
    int array;
    const struct job_record *record; /* of the array */
    const char *host, *job;
    bool again;    /* this job has run before: what it took then and did not end, it takes first */
    unsigned next; /* initialise with 0 */
};

/* Take a unit. 1: *index is its place in the record; 0: none is left; -1: error (e). Units that
 * have a result are passed over. */
int claim_next(struct claimer *c, unsigned *index, struct err *e);

/* Has any unit of an array been taken? By the hint: false may be wrong. */
bool claim_any(const char *run, int array);

/* The highest number of an array of which the unit has a record, of this run or, if the unit was
 * kept when the run was regraded, of the run before; 0: none. */
int claim_last_array(const char *run, const char *unit_id);

/* The index of the array element that took a unit of an array; -1: nobody has. */
long claim_task(const char *run, int array, const char *unit_id);

#endif
