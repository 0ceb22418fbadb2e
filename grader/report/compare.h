/*
 * compare.h - two runs side by side: what both have timed, and what was different around it.
 */
#ifndef REPORT_COMPARE_H
#define REPORT_COMPARE_H

#include <stdio.h>

#include "rundir/results.h"

/* A run with all that is known about it. */
struct compare_side {
    const struct run *run;
    const struct results *results;
};

/* The same submission, tier, launch and size in both. */
struct compare_row {
    unsigned unit[2]; /* in the plans */
    const struct case_result *at[2];
    /* How many times as fast the second one is: by the clock, and beside the yardsticks of their
     * own nodes (n = 0: these are different yardsticks). */
    struct interval faster, beside;
};

/* All rows, in the order of the first run. The caller frees *rows. */
size_t compare_rows(const struct compare_side side[2], struct compare_row **rows);

/* The same as one JSON document. */
int compare_print_json(const struct compare_side side[2], const struct compare_row *rows,
                       size_t count, FILE *f, struct err *e);

/* Print what is different (nodes, processors, kernels, compilers, sources), then a table. */
void compare_print(const struct compare_side side[2], const struct compare_row *rows, size_t count,
                   FILE *f);

#endif
