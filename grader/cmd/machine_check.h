/*
 * machine_check.h - what this machine has and lacks for grading, one finding at a time.
 */
#ifndef CMD_MACHINE_CHECK_H
#define CMD_MACHINE_CHECK_H

#include <stdbool.h>

enum finding_state { FINDING_OK, FINDING_WARN, FINDING_MISSING };

struct finding {
    const char *topic; /* "MPI" */
    enum finding_state state;
    char detail[200];  /* what was found */
    char meaning[300]; /* what it means, and what to do; "" if the state is OK */
    bool needed;       /* without it, the CPU tiers cannot be graded here */
};

/* Do the i-th check and fill *f. False if i is past the last check. */
bool doctor_examine(unsigned i, struct finding *f);

#endif
