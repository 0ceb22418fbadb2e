/* replay_options.h - under which conditions a failure shows again. */
#ifndef REPORT_REPLAY_OPTIONS_H
#define REPORT_REPLAY_OPTIONS_H

#include "model/result.h"

enum { REPLAY_OPTIONS = 32 };

struct replay_conditions {
    bool before, fill;
    int repeat; /* 0: once */
};

struct replay_conditions replay_conditions(const struct case_result *c);
/* Of the smallest case. cause: of the failed case from which the search started. */
struct replay_conditions replay_conditions_smallest(const struct smallest_result *s,
                                                    enum cause cause);

/* As options of `paragrade replay`: " --repeat 20", or "". */
void replay_options(struct replay_conditions how, char out[REPLAY_OPTIONS]);

#endif
