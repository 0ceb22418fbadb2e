/*
 * crash_line.h - after a crash, the function and the line where it happened.
 *
 * The driver tells where in the library the fault was. The unit is compiled once more, with -g. If
 * the code is the same, the place is in the same line there. Nothing runs again, no verdict depends
 * on it, and units that do not crash pay nothing.
 */
#ifndef PROCTOR_CRASH_LINE_H
#define PROCTOR_CRASH_LINE_H

#include <stddef.h>

#include "proctor/unit_job.h"
#include "proctor/unit_state.h"
#include "supervise/outcome.h"

/* Add "; in FUNCTION (FILE:LINE)" to the message about an outcome, if that can be known. Compiling
 * counts for the unit's limit, because a job may have no time beyond its limits. It takes at most a
 * quarter of what is left, once, and a unit that crashed is not timed. */
void crash_line_add(const struct unit_job *job, struct unit_state *s, const struct outcome *o,
                    char *message, size_t cap);

#endif
