/* operand.h - a matrix or vector that a kernel reads or writes. */
#ifndef KERNEL_OPERAND_H
#define KERNEL_OPERAND_H

#include <stdbool.h>
#include <stddef.h>

#include "kernel/extents.h"
#include "kernel/shape.h"
#include "kernel/values.h"

/* What says how many: 1, a dimension of the shape (from 0), or a derived one (from
 * EXTENT_DERIVED). */
enum { EXTENT_ONE = -1, EXTENT_DERIVED = SHAPE_DIMS };

static inline int shape_extent(struct shape s, int extent)
{
    return extent == EXTENT_ONE       ? 1
           : extent >= EXTENT_DERIVED ? s.derived[extent - EXTENT_DERIVED]
                                      : s.dim[extent];
}

/* Which ranks of MPI have an operand: rank 0; each has all of it; or each has a block (part.h). */
enum operand_place { ON_ROOT, ON_ALL, ON_BLOCK };

/* Row-major and contiguous. */
struct operand {
    const char *name; /* for messages: "A" */
    enum element_type type;
    int rows, cols; /* extents */
    int more_rows;  /* than `rows` says: 1 for the starts of rows, where the end is needed, too */
    const struct extents *size; /* in place of these, of a kernel in a file; else NULL */
    int initial;   /* of an output that is changed in place: its values are input initial - 1 */
    bool by_value; /* of an input: one number, which the function gets as it is */
    enum operand_place on;
};

static inline size_t operand_rows(const struct operand *o, struct shape s)
{
    return o->size ? extents_rows(o->size, s.dim)
                   : (size_t)shape_extent(s, o->rows) + (size_t)o->more_rows;
}

static inline size_t operand_cols(const struct operand *o, struct shape s)
{
    return o->size ? extents_cols(o->size, s.dim) : (size_t)shape_extent(s, o->cols);
}

static inline size_t operand_elements(const struct operand *o, struct shape s)
{
    return operand_rows(o, s) * operand_cols(o, s);
}

static inline size_t operand_bytes(const struct operand *o, struct shape s)
{
    return operand_elements(o, s) * type_bytes(o->type);
}

#endif
