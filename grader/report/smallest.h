/*
 * smallest.h - how reports tell the smallest case that fails (unit_result.smallest).
 */
#ifndef REPORT_SMALLEST_H
#define REPORT_SMALLEST_H

#include <stdbool.h>

#include "rundir/results.h"

/* Is there one, and is it another one than the case that the unit's message is about? */
bool smallest_is_news(const struct run *r, const struct unit_result *u);

/* "1x9x1, small values, 2 threads". The caller frees it. */
char *smallest_text(const struct run *r, unsigned unit, const struct smallest_result *s);

/* The command that runs it again, in the run of that name. The caller frees it. */
char *smallest_replay(const struct run *r, const char *run_name, const struct unit_result *u);
/* The same in the newest run of a student who checks this tier. */
char *smallest_replay_own(const struct run *r, const char *tier, const struct unit_result *u);

#endif
