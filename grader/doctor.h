/*
 * doctor.h - what can be found out about this machine, one finding at a time.
 */
#ifndef GRADER_DOCTOR_H
#define GRADER_DOCTOR_H

enum finding_state { FINDING_OK, FINDING_WARN, FINDING_MISSING };

struct finding {
    const char *topic; /* "MPI" */
    enum finding_state state;
    char detail[200];  /* what was found */
    char meaning[300]; /* what it means, and what to do; "" when all is well */
    int needed;        /* missing: the CPU tiers cannot be graded here */
};

/* The i-th examination, in order; NULL past the last. */
typedef void (*examination)(struct finding *f);
examination doctor_examination(unsigned i);

#endif
