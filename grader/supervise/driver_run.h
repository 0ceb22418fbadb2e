/* driver_run.h - what a started driver is asked to do: lay out a case, compute, describe a device.
 */
#ifndef SUPERVISE_DRIVER_RUN_H
#define SUPERVISE_DRIVER_RUN_H

#include "model/result.h"
#include "supervise/arena.h"
#include "supervise/driver_counters.h"
#include "supervise/driver_process.h"
#include "supervise/outcome.h"

/* All of these leave the driver halted on OUTCOME_OK, unless they say otherwise. On other outcomes
 * the caller ends the driver. */

/* Send the arena's layout with its descriptors (of the masked inputs, for a device), and wait until
 * the driver has mapped the matrices. `yard`: with the yardstick's output area instead of the
 * unit's. The layout is divided if each rank gets what it has of the operands. */
void driver_case(struct driver_process *d, struct arena *a, bool yard, struct outcome *o);
/* The same for the case that the driver has already, in other places: what it has printed stays. */
void driver_move(struct driver_process *d, struct arena *a, bool yard, struct outcome *o);

/* Ask for the device's name and ceilings. */
void driver_describe(struct driver_process *d, struct pg_device *device, struct outcome *o);

struct request {
    unsigned steps;                 /* set of enum pg_step */
    unsigned reps;                  /* problems in the arena */
    unsigned rounds;                /* how often to compute all of them */
    int64_t limit_ms;               /* from GO to DONE, or to COMPUTED */
    int64_t copy_ms;                /* more, for the copy back after COMPUTED */
    unsigned sets;                  /* of inputs; 0: as on the host */
    uint32_t pairing;               /* of the last one (abi/pairs.h) */
    enum pg_rounding rounding;      /* of floating-point arithmetic, in the grader's own driver */
    bool go_on;                     /* do not halt the driver: the next request follows at once */
    struct pg_key key;              /* with PG_UNMASK */
    struct device_profile *profile; /* with PG_PROFILE: receives the rows; or NULL */
    struct rank_work *ranks;        /* with PG_RANKS: one for each rank of the launch; or NULL */
    const struct driver_counters *counters; /* to count from GO until the halt; or NULL */
};

/* All times are in seconds. */
struct timing {
    double seconds;  /* GO to DONE by the proctor's clock; to COMPUTED when a copy back follows.
                        Includes what is charged. */
    double unmasked; /* to take the mask off, before `seconds`: filled by whoever asked for it */
    double copied;   /* COMPUTED to DONE; 0 when there is no copy */
    double device;   /* computing time by the device's events, as the driver reports it; negative:
                        there are none */
    bool unordered;  /* calls were not finished when the work in the given stream was done */
    double cores;    /* threads that ran or were ready to run, on average; NAN: unknown */
    double busiest;  /* largest share of the processor time that one thread had; NAN: unknown */
};

/* Carry out a request and fill *t. */
void driver_run(struct driver_process *d, const struct request *q, struct timing *t,
                struct outcome *o);

#endif
