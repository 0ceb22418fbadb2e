/*
 * extents.h - how large an operand is, as expressions over the dimensions: [n], [h, w, 3].
 *
 * Where rows and columns are wanted, the last of several extents is a row, and the others together
 * say how many there are. One extent is a column of so many rows.
 */
#ifndef KERNEL_EXTENTS_H
#define KERNEL_EXTENTS_H

#include <stddef.h>

#include "base/err.h"
#include "kernel/expression.h"

enum { EXTENTS_MOST = 4 };

struct extents {
    int count; /* 0: one number */
    struct expression of[EXTENTS_MOST];
    char *text[EXTENTS_MOST]; /* as written; owned */
};

/* Is there such an operand: is every extent at least 1, or 0 if a dimension is 0, and are there at
 * most 2^31 - 1 elements? 0, or -1 with the reason, which names the operand; e may be NULL. */
int extents_check(const struct extents *x, const char *name, const int *dim, int dims,
                  struct err *e);

/* For dimensions that extents_check() has taken. */
size_t extents_rows(const struct extents *x, const int *dim);
size_t extents_cols(const struct extents *x, const int *dim);
/* One of them. */
size_t extents_one(const struct extents *x, int i, const int *dim);

#endif
