/*
 * weak.h - weak scaling: sizes that grow with the workers of a launch. An assignment gives sizes
 * for one worker; with more workers, the first dimension that is not fixed is so many times as
 * large. For a dense product that is M: each worker has the same number of operations.
 */
#ifndef MODEL_WEAK_H
#define MODEL_WEAK_H

#include "model/assignment.h"

/* The i-th size for one worker, grown for a launch of the tier. Kernels take all of them: that was
 * checked when they were read. */
struct shape weak_size(const struct assignment *a, const struct tier *t, unsigned i,
                       struct launch l);

/* Grow a size. 0, or -1 with the reason: there is no such size. */
int weak_grow(const struct assignment *a, const struct tier *t, struct shape one, int workers,
              struct shape *out, struct err *e);

/* Is the shape among the sizes that grow, for any launch of the tier? */
bool weak_has(const struct assignment *a, const struct tier *t, struct shape s);
/* ... for this launch? */
bool weak_has_for(const struct assignment *a, const struct tier *t, struct shape s,
                  struct launch l);

/* So many (size, launch) pairs are timed in a tier, if it runs alone. */
unsigned weak_timed_count(const struct assignment *a, const struct tier *t);

#endif
