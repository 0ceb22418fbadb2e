/*
 * smallest.h - the search for the smallest case that still fails, given one that fails.
 *
 * A pure strategy over an oracle, which runs a case and says whether it fails. Small candidates
 * come first, so most answers are cheap, and a kernel that crashes does so only once per step. A
 * mistake need not be monotone: "N is not a multiple of 8" fails at 9 and passes at 16. So no size
 * is taken to pass because a larger one does.
 */
#ifndef MODEL_SMALLEST_H
#define MODEL_SMALLEST_H

#include <stdbool.h>

#include "kernel/kernel.h"
#include "kernel/launch.h"
#include "kernel/shape.h"
#include "kernel/values.h"

/* What is made smaller. */
struct small_case {
    struct shape shape; /* complete */
    struct launch launch;
    enum value_dist values;
};

enum small_answer {
    SMALL_PASSES,
    SMALL_FAILS,
    SMALL_STOP, /* there is no more time: the search ends with what it has */
};

struct small_oracle {
    enum small_answer (*ask)(void *with, const struct small_case *c);
    void *with;
};

struct small_search {
    const struct kernel *kernel;
    struct shape_rule rule; /* of the tier */
    struct small_oracle oracle;
};

/* Make *c smaller, which fails: its dimensions and the structure of its matrix, its ranks and
 * threads, then its values. Every candidate is a shape that the rule allows and the kernel takes;
 * no dimension, no count of ranks or threads grows. Each candidate is asked once. Returns true when
 * nothing more can be tried, false after SMALL_STOP; *c fails in both cases. */
bool smallest_find(const struct small_search *s, struct small_case *c);

#endif
