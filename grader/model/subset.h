/*
 * subset.h - a part of what an assignment asks for. A student who looks for a mistake checks one
 * case, one size, or one number of threads. Such a run gives no points.
 */
#ifndef MODEL_SUBSET_H
#define MODEL_SUBSET_H

#include <stdbool.h>

#include "base/err.h"
#include "kernel/shape.h"

struct assignment;

/* Zeroed: everything. */
struct subset {
    bool one_case;
    int case_index;    /* with one_case: the only correctness case */
    struct shape size; /* the only performance size; all 0: all */
    int threads;       /* only launches with so many threads; 0: all */
    bool untimed;
};

/* True when something is left out. */
bool subset_is_part(const struct subset *s);
/* "case 6, 4 threads, not timed"; "" for everything. The caller frees it. */
char *subset_text(const struct subset *s);
/* Reduce an assignment, after its profile was applied. Tiers that never run with so many threads
 * become idle. Values that do not exist are an error, which lists those that do. */
int subset_apply(struct assignment *a, const struct subset *s, struct err *e);

#endif
