/*
 * counters.h - events that were counted while a unit computed, by the kernel of the operating
 * system. For people, never for a verdict. docs/studies.md explains them.
 */
#ifndef MODEL_COUNTERS_H
#define MODEL_COUNTERS_H

enum counter {
#define COUNTER(identifier, name) COUNTER_##identifier,
#include "model/counters.def"
#undef COUNTER
    COUNTER_COUNT
};

struct counters {
    int runs;                    /* that were counted; 0: nothing was */
    double value[COUNTER_COUNT]; /* of one call, the mean; NAN: unknown */
    char reason[160];            /* why some are unknown; "" */
};

/* "cycles" */
const char *counter_name(enum counter c);

#endif
