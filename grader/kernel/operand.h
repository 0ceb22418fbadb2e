/* operand.h - a matrix or vector that a kernel reads or writes. */
#ifndef KERNEL_OPERAND_H
#define KERNEL_OPERAND_H

#include <stddef.h>

#include "kernel/shape.h"
#include "kernel/values.h"

enum { EXTENT_ONE = -1 };

/* Row-major and contiguous. */
struct operand {
    const char *name; /* for messages: "A" */
    enum element_type type;
    int rows, cols; /* which dimension of the shape says how many; EXTENT_ONE: 1 */
};

static inline size_t operand_rows(const struct operand *o, struct shape s)
{
    return o->rows == EXTENT_ONE ? 1 : (size_t)s.dim[o->rows];
}

static inline size_t operand_cols(const struct operand *o, struct shape s)
{
    return o->cols == EXTENT_ONE ? 1 : (size_t)s.dim[o->cols];
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
