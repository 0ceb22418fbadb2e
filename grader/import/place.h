/*
 * place.h - a submission directory from what a student handed in: archives in it are unpacked, and
 * a directory around everything is taken away.
 */
#ifndef IMPORT_PLACE_H
#define IMPORT_PLACE_H

#include "import/attempt.h"

struct place {
    const char *to;      /* the directory of all submissions */
    const char *scratch; /* in the same file system */
};

/* Was TO/ID made by an import? 1: yes. 0: there is none. -1: it was not. */
int place_owner(const struct place *p, const char *id);

/* Does TO/ID hold an attempt of an earlier import, and was that one handed in before the deadline?
 */
bool place_in_time(const struct place *p, const char *id, int64_t deadline);

/* Replace TO/ID by what the attempt holds. */
int place_attempt(const struct place *p, const struct attempt *a, struct remarks *r, struct err *e);

/* Remove TO/ID, which an import made. */
int place_remove(const struct place *p, const char *id, struct err *e);

#endif
