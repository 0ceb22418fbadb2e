/*
 * starter.h - what a student begins with: for any assignment, a source for each tier that compiles
 * and computes nothing, the header, and a README.
 */
#ifndef PLAN_STARTER_H
#define PLAN_STARTER_H

#include <stddef.h>

#include "base/err.h"
#include "model/assignment.h"

struct starter_request {
    const struct assignment *a;
    const char *path; /* of its file, as the README may name it */
    char *const *tiers;
    size_t tiers_count; /* only these; none: all that students hand in */
    const char *dir;    /* made if it is not there */
};

/* Files that are there stay as they are. *written, *kept: how many files. What the assignment's
 * template has is taken from there. 0, or -1 with e. */
int starter_write(const struct starter_request *q, unsigned *written, unsigned *kept,
                  struct err *e);

#endif
