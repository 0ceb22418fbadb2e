/*
 * source_choice.h - which file of a submission is a tier's source, or what speaks against it.
 */
#ifndef PLAN_SOURCE_CHOICE_H
#define PLAN_SOURCE_CHOICE_H

#include <stdbool.h>

#include "model/assignment.h"
#include "model/verdict.h"

struct choice {
    const char *source; /* file name, or NULL */
    bool preset;        /* the verdict is known without running anything */
    enum verdict verdict;
    char *message; /* with preset; the caller frees it */
};

/* The first of the tier's file names that is there decides, good or bad: a link in its place is
 * not passed over in silence. */
struct choice choose_source(const char *dir, const struct assignment *a, const struct tier *t);

void choice_settle(struct choice *c, enum verdict v, char *message);

#endif
