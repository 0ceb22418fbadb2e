/*
 * verify.h - is a run's report what its evidence gives? Reads the run directory, changes nothing.
 */
#ifndef VERIFY_VERIFY_H
#define VERIFY_VERIFY_H

#include <stdbool.h>
#include <stddef.h>

#include "base/digest.h"
#include "base/err.h"

/* One thing that is not as recorded. `where` and `field` are "" when it is about a whole file. */
struct difference {
    char *file; /* in the run directory */
    char *where;
    char *field;
    char *recorded;
    char *recomputed;
};

struct verification {
    struct difference *difference;
    size_t count;
    char **note; /* what a reader must know but nobody did wrong; one line each */
    size_t notes;
    bool receipts;   /* there are receipts, and they can be read */
    bool unfinished; /* units have no result yet, or got one after the report was written */
    size_t files;    /* compared */
    size_t units;    /* recomputed */
    size_t submissions;
    char digest[DIGEST_HEX]; /* of the run; "" without receipts */
};

/* wanted: a digest that was kept (of the run, or one student's receipt), or NULL. Differences are
 * no failure: -1 is only for a directory that cannot be looked at as a run. */
int verify_run(const char *dir, const char *wanted, struct verification *v, struct err *e);
void verification_free(struct verification *v);

/* Add a difference; the strings are copied. */
void verify_differs(struct verification *v, const char *file, const char *where, const char *field,
                    const char *recorded, const char *recomputed);
void verify_note(struct verification *v, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

#endif
