/*
 * machine_check.h - what can be found out about this machine, one finding at a time.
 */
#ifndef CMD_MACHINE_CHECK_H
#define CMD_MACHINE_CHECK_H

#include <stdbool.h>

enum finding_state { FINDING_OK, FINDING_WARN, FINDING_MISSING };

struct finding {
    const char *topic; /* "MPI" */
    enum finding_state state;
    char detail[200];  /* what was found */
    char meaning[300]; /* what it means, and what to do; "" when all is well */
    int needed;        /* missing: the CPU tiers cannot be graded here */
};

/* Make the i-th examination, in order; false past the last. */
bool doctor_examine(unsigned i, struct finding *f);

#endif
