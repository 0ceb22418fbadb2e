/*
 * calls.h - which functions of libraries a submission may call: those that match a pattern of
 * `allow` and no pattern of `forbid`.
 */
#ifndef MODEL_CALLS_H
#define MODEL_CALLS_H

#include <stdbool.h>

#include "model/assignment.h"

/* This word in a list of an assignment file means all patterns of the standard list. That list
 * depends on the kind of the tier. */
#define CALLS_STANDARD "standard"

/* Whether a function matches the list. Functions that compilers call by themselves are always
 * allowed. */
bool calls_allowed(const struct calls *c, const char *function);
bool calls_forbidden(const struct calls *c, const char *function);

/* Whether no submission may define this function, whatever the lists say. */
bool calls_reserved(const char *function);

/* Whether the name begins like those of OpenMP, MPI or threads. A submission must not define such a
 * function: it has to choose another name. */
bool calls_taken(const char *function);

/* Copy `from`, and replace CALLS_STANDARD by the patterns that it means in a tier of this kind. The
 * caller frees *to with calls_free(). */
void calls_expand(const struct calls *from, enum launch_kind kind, struct calls *to);

void calls_free(struct calls *c);

#endif
