/*
 * verify.h - does a run's evidence give what its report says? Reads the run directory and changes
 * nothing in it.
 */
#ifndef VERIFY_VERIFY_H
#define VERIFY_VERIFY_H

#include <stdbool.h>
#include <stddef.h>

#include "base/digest.h"
#include "base/err.h"
#include "verify/differences.h"

struct verification {
    struct differences found;
    bool receipts;   /* there are receipts, and they can be read */
    bool unfinished; /* units have no result yet, or got one after the report was written */
    size_t files;    /* compared */
    size_t units;    /* recomputed */
    size_t submissions;
    char digest[DIGEST_HEX]; /* of the run; "" without receipts */
};

/* wanted: a digest that somebody kept (of the run, or one student's receipt), or NULL. Returns 0
 * with differences, too; -1 with e when the directory cannot be read as a run. The caller calls
 * verification_free() in both cases. */
int verify_run(const char *dir, const char *wanted, struct verification *v, struct err *e);
void verification_free(struct verification *v);

#endif
