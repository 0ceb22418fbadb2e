/*
 * snapshot.h - copying what a submission consists of into the run. Links and files of more than
 * `max` bytes are never copied.
 */
#ifndef PLAN_SNAPSHOT_H
#define PLAN_SNAPSHOT_H

#include <stddef.h>

#include "base/err.h"
#include "base/strbuf.h"
#include "plan/source_choice.h"

struct snapshot_from {
    const char *dir;        /* what is read */
    const char *submission; /* its name, for notes */
    bool reference;         /* as for choose_source() */
};

/* Copy all headers and the further sources of all tiers, with the directories that they lie in;
 * only those in the directory of the assignment, if it has one. `notes` (or NULL) receives a line
 * for each that is left out, with the name of the submission. */
int snapshot_shared(const struct snapshot_from *from, const char *to, const struct assignment *a,
                    struct strbuf *notes, struct err *e);
/* Copy the chosen source. If it has changed since it was chosen, what is found now counts: a file
 * that can no longer be taken is missing. */
int snapshot_source(const char *from, const char *to, size_t max, struct choice *c, struct err *e);

/* Add a line made of a format with two strings, which may hold any bytes. notes may be NULL. */
void plan_note(struct strbuf *notes, const char *fmt, const char *a, const char *b);

#endif
