/*
 * unit_warnings.h - what the compiler warns of, for a unit in which something is wrong: often the
 * mistake itself, with its line.
 */
#ifndef PROCTOR_UNIT_WARNINGS_H
#define PROCTOR_UNIT_WARNINGS_H

#include <stdint.h>

#include "model/result.h"
#include "proctor/unit_job.h"

/* Add the first warnings to the remarks, unless the unit passed and has neither a remark nor a
 * flag. The sources are compiled once more for this, with the tier's own command and warnings on;
 * nothing is added if the compiler does not take the options. deadline: of the unit,
 * CLOCK_MONOTONIC ns. */
void unit_warnings_add(const struct unit_job *job, uint64_t deadline, struct unit_result *r);

#endif
