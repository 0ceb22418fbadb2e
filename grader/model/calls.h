/*
 * calls.h - which functions that it does not bring along a submission may call: those that match
 * a pattern of `allow` and none of `forbid`.
 */
#ifndef MODEL_CALLS_H
#define MODEL_CALLS_H

#include <stdbool.h>

#include "model/assignment.h"

/* In a list of an assignment file: all patterns of the standard list, which depends on the kind
 * of the tier. */
#define CALLS_STANDARD "standard"

/* Whether a function may be called, forbidden or not; what compilers call by themselves always. */
bool calls_allowed(const struct calls *c, const char *function);
bool calls_forbidden(const struct calls *c, const char *function);

/* Whether it is a function that no submission may define, whatever its lists say. */
bool calls_reserved(const char *function);

/* Whether a function's name begins like those of OpenMP, MPI or threads: nothing bad, but a
 * submission's own must be called otherwise. */
bool calls_taken(const char *function);

/* Take `from` over, with CALLS_STANDARD replaced by what it stands for in a tier of this kind. */
void calls_expand(const struct calls *from, enum launch_kind kind, struct calls *to);

void calls_free(struct calls *c);

#endif
