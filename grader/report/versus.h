/*
 * versus.h - the speed of one tier over that of another one, as the assignment's `versus` asks for.
 */
#ifndef REPORT_VERSUS_H
#define REPORT_VERSUS_H

#include <stdbool.h>

#include "rundir/results.h"

/* One comparison at one size. docs/studies.md says which launches are compared. */
struct versus_row {
    const struct versus *pair;
    int unit, other_unit;
    const struct case_result *mine, *other;
    struct shape shape;
    /* How many times as fast as the other one. Tiers with the same yardstick are compared relative
     * to it, others by their seconds. Unknown if two nodes replaced the yardstick differently. */
    struct interval ratio;
    double
        end_to_end; /* the same for times with copies to and from a device; NaN: there are none */
};

/* All rows of a submission (an index; -1: of the run), pair after pair. The caller frees *rows. */
size_t versus_rows(const struct run *r, const struct results *res, int submission,
                   struct versus_row **rows);

struct term_table;
/* These rows as a table; it has none if there is nothing to compare. *rough (may be NULL) becomes
 * true if a ratio in it is rough (text.h). */
struct term_table *versus_table(const struct run *r, const struct results *res, int submission,
                                bool *rough);

/* The other tier: "naive", "reference:blas". The caller frees it. */
char *versus_name(const struct run *r, const struct versus *v);

#endif
