/*
 * driver_calls.h - do the ranks of a driver make calls of MPI that belong together? MPI itself
 * finds few of these mistakes: most give a wrong result, or wait for ever. Like driver_waits.h,
 * this is for people, not for verdicts.
 */
#ifndef SUPERVISE_DRIVER_CALLS_H
#define SUPERVISE_DRIVER_CALLS_H

#include "supervise/driver_process.h"

/* What the first ranks have called; nothing of ranks that cannot be looked at. */
struct driver_calls {
    unsigned ranks;
    bool known[PG_PARTS_TOLD];
    struct pg_calls of[PG_PARTS_TOLD];
};

/* After a run of the function, for a driver that notes calls (environment.h). */
void driver_calls_read(const struct driver_process *d, struct driver_calls *c);

/* Of a rank; 0 if nothing is known. A student's process tells it. */
unsigned driver_calls_count(const struct driver_calls *c, unsigned rank);
/* Do all calls have names that may be printed? */
bool driver_calls_named(const struct driver_calls *c);

/* The first calls that do not fit, in words; false: there are none. unset: the result depends on
 * memory that was never set. Pure. */
bool driver_calls_differ(const struct driver_calls *c, bool unset, char *out, size_t cap);

#endif
