/* replay_options.h - under which conditions a failure shows again. */
#ifndef REPORT_REPLAY_OPTIONS_H
#define REPORT_REPLAY_OPTIONS_H

#include "model/result.h"

enum { REPLAY_OPTIONS = 32 };

/* The options of `paragrade replay` for a failed case: " --repeat 20", or "". */
void replay_options(const struct case_result *c, char out[REPLAY_OPTIONS]);
/* For the smallest case. cause: of the failed case from which the search started. */
void replay_options_smallest(const struct smallest_result *s, enum cause cause,
                             char out[REPLAY_OPTIONS]);

#endif
