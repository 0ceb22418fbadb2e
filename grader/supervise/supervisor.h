/*
 * supervisor.h - what the supervising process keeps for all of its drivers together. There is one
 * per proctor.
 */
#ifndef SUPERVISE_SUPERVISOR_H
#define SUPERVISE_SUPERVISOR_H

#include <stdint.h>

#include "supervise/cores.h"
#include "supervise/procfs.h"

/* Starts as zeros. Must live longer than every driver. */
struct supervisor {
    struct own_core own_core;
    void (*tick)(uint64_t now); /* called again and again while a driver is waited for; now:
                                   CLOCK_MONOTONIC, ns. NULL: nobody wants to know */
    struct pid_list children;   /* when the last library was loaded (driver_halt.h); owned */
    /* Clock time of all requests so far, seconds. */
    double student_seconds; /* to drivers with a student's library */
    double own_seconds;     /* to drivers of the grader itself: yardstick, baseline */
};

static inline void supervisor_free(struct supervisor *s)
{
    pid_list_free(&s->children);
}

#endif
