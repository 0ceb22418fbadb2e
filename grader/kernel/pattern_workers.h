/*
 * pattern_workers.h - for pattern.c: are the wrong rows those of one rank or thread, or between
 * two?
 */
#ifndef KERNEL_PATTERN_WORKERS_H
#define KERNEL_PATTERN_WORKERS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/strbuf.h"

struct facts {
    int rows, cols;                /* of the output */
    const char *row;               /* a row of a vector is an element */
    const char *row_dim, *col_dim; /* the dimensions that say how many: "M", "N" */
    uint64_t wrong;
    uint64_t untouched;               /* still the poison */
    uint64_t int_min;                 /* INT_MIN instead of another value */
    uint64_t zero;                    /* 0 instead of another value */
    uint64_t all_zero, all_untouched; /* right or wrong */
    uint64_t rounded;                 /* a little wrong, as a float is */
    uint64_t nan;                     /* made by the kernel */
    uint64_t above, below;            /* the diagonal */
    int depth;                        /* how far from the border one of them is; 1: at it */
    uint64_t added_to;                /* expected + poison: C was not assigned but added to */
    int *per_row, *per_col;
    int first_row, last_row, first_col, last_col;
    int bad_rows, bad_cols; /* rows and columns with at least one wrong element */
};

/* Find the worker whose block of rows contains every wrong row, from *from to *to. -1 if there is
 * no such worker, if it depends on the way in which rows are divided, or if so few rows may be
 * there by chance. */
int pattern_owning_worker(const struct facts *f, int workers, int *from, int *to);

/* Are most elements of these rows wrong, and is each of the rows beside one of another worker?
 * There are so many rows that this is no chance. */
bool pattern_between_workers(const struct facts *f, int workers);
/* who: "rank" or "thread". */
void pattern_between_text(struct strbuf *sb, const struct facts *f, const char *who);

/* Are the wrong rows exactly those that remain when each worker has the same number? */
bool pattern_left_over_by_workers(const struct facts *f, int workers);

#endif
