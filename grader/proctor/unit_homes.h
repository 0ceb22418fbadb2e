/*
 * unit_homes.h - the directories that a driver of a unit may write to.
 */
#ifndef PROCTOR_UNIT_HOMES_H
#define PROCTOR_UNIT_HOMES_H

#include "base/err.h"
#include "proctor/unit_job.h"

/* Both are owned. Starts as zeros. */
struct unit_homes {
    char *scratch;
    char *shm; /* in memory; NULL: there is none */
};

/* name: of the driver's homes among those of the unit. Call unit_homes_remove() in any case. */
int unit_homes_make(struct unit_homes *h, const struct unit_job *job, const char *name,
                    struct err *e);
void unit_homes_remove(struct unit_homes *h);

#endif
