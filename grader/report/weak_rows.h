/* weak_rows.h - weak scaling: rates at sizes that grow with the workers. */
#ifndef REPORT_WEAK_ROWS_H
#define REPORT_WEAK_ROWS_H

#include "rundir/results.h"

/* One launch of a unit at the size that belongs to it. */
struct weak_row {
    int unit;
    unsigned base; /* number of the size for one worker */
    const struct case_result *result;
    struct shape shape;
    double work; /* operations of one worker; bytes where nobody counts operations */
    /* Rate of one worker over that in the launch with the fewest workers: 1 where the time stays
     * the same while size and workers grow. */
    struct interval efficiency;
};

/* Of the units of a submission (an index; -1: of the run): unit after unit, size after size, in the
 * order of workers. The caller frees *rows. */
size_t weak_rows(const struct run *r, const struct results *res, int submission,
                 struct weak_row **rows);

struct term_table;
/* These rows as a table, empty where there are none. */
struct term_table *weak_table(const struct run *r, const struct results *res, int submission);

#endif
