/*
 * rehearse_report.h - what the results of a rehearsal say: which mutants the cases have found, and
 * which they have missed.
 */
#ifndef CMD_REHEARSE_REPORT_H
#define CMD_REHEARSE_REPORT_H

#include <stdio.h>

#include "plan/rehearsal.h"
#include "rundir/results.h"

enum fate {
    FATE_UNKNOWN,    /* the node lacks what the tier needs, or failed */
    FATE_STILLBORN,  /* it does not compile */
    FATE_EQUIVALENT, /* the compiler makes the same code of it */
    FATE_KILLED,     /* a case failed */
    FATE_UNREACHED,  /* no case runs the block of the change on this machine */
    FATE_SURVIVED,
};

/* The fate of each mutant; the caller frees the array. Survivors may be FATE_UNREACHED in truth:
 * see rehearse_unreached(). */
enum fate *rehearse_fates(const struct rehearsal *h, const struct run *r,
                          const struct results *res);

/* A survivor whose probe passes in this run was not reached. */
void rehearse_unreached(const struct rehearsal *h, const struct run *r, const struct results *res,
                        enum fate *fate);

/* Print all of it. Returns how many have survived. */
unsigned rehearse_print(const struct rehearsal *h, const struct run *r, const struct results *res,
                        const enum fate *fate, FILE *f);

#endif
