/*
 * unit_state.h - the state of a unit that was built, while its cases run. The steps of a unit take
 * three things: what is to be done (unit_job.h, const), this state, and the result that they fill.
 */
#ifndef PROCTOR_UNIT_STATE_H
#define PROCTOR_UNIT_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "supervise/cores.h"
#include "supervise/driver_process.h"
#include "supervise/outcome.h"

struct unit_state {
    struct driver_process driver;
    struct driver_spec spec;     /* of every driver; its strings are borrowed */
    struct cores cores;          /* that the current launch runs on */
    uint64_t deadline;           /* CLOCK_MONOTONIC ns */
    unsigned protections;        /* that every driver so far had */
    struct unexplained_end *end; /* borrowed; of the drivers that were lost */
    int case_index;              /* of the case that runs */
    int failures;                /* drivers lost through the kernel's fault, results not read */
    bool unread;                 /* the check of the exercise could not read some */
    bool over;                   /* no further cases */
    bool wrong;                  /* a case failed, so nothing is timed */
    bool race;                   /* one was found, so no more are looked for */
    bool lines_sought;           /* after a crash: crash_line.h has built, or tried to */
    char *with_lines;            /* the library with debugging information, or NULL; owned */
    int repeated;                /* failed cases that were run again, in search of a race */
};

#endif
