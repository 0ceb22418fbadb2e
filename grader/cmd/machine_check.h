/*
 * machine_check.h - what this machine has and lacks for grading, one examination at a time.
 */
#ifndef CMD_MACHINE_CHECK_H
#define CMD_MACHINE_CHECK_H

#include <stdbool.h>

enum examination_state { EXAMINATION_OK, EXAMINATION_WARN, EXAMINATION_MISSING };

struct examination {
    const char *topic; /* "MPI" */
    enum examination_state state;
    char detail[400];  /* what was found */
    char meaning[300]; /* what it means, and what to do; "" if the state is OK */
    bool needed;       /* without it, the CPU tiers cannot be graded here */
};

/* Do the i-th check and fill *x. False if i is past the last check. */
bool doctor_examine(unsigned i, struct examination *x);

#endif
