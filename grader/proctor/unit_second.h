/*
 * unit_second.h - the correctness cases once more, from the second build (second_build.h), and what
 * follows: remarks with file and line, and a wrong answer if the assignment says so.
 *
 * Only what is certain becomes a remark: a wrong result, an access that AddressSanitizer stops, an
 * index outside of an array, a fault at a matrix, what compute-sanitizer calls an error. That this
 * build is too slow, needs more memory, or ends in another way says nothing about the program.
 */
#ifndef PROCTOR_UNIT_SECOND_H
#define PROCTOR_UNIT_SECOND_H

#include "model/result.h"
#include "proctor/unit_homes.h"
#include "proctor/unit_job.h"
#include "proctor/unit_state.h"

/* Look for mistakes, for about a second, if the unit's cases have a verdict with which this helps.
 * The unit's driver has ended. Fills `remarks` and `sanitized` of the result, and may add a case
 * that failed. */
void unit_second_look(const struct unit_job *job, struct unit_state *s, struct unit_result *r);

#endif
