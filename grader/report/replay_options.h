/* replay_options.h - under which conditions a failure shows again. */
#ifndef REPORT_REPLAY_OPTIONS_H
#define REPORT_REPLAY_OPTIONS_H

#include "model/cause.h"

enum { REPLAY_OPTIONS = 32 };

/* The options of `paragrade replay` for a failure of that cause, which showed in so many of all
 * runs, under so many workers: " --repeat 20", or "". */
void replay_options(enum cause cause, int failed_runs, int runs, int workers,
                    char out[REPLAY_OPTIONS]);

#endif
