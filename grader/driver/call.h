/*
 * call.h - a call of the student's function. Which arguments it has is known only at run time:
 *
 *     void function(int dim ..., const T *input ..., T *output, what the launch kind adds);
 *
 * or in another order, or with the output as its result: see struct pg_form.
 */
#ifndef DRIVER_CALL_H
#define DRIVER_CALL_H

#include <ffi.h>
#include <stddef.h>
#include <stdint.h>

#include "abi/pairs.h"
#include "driver/driver.h"

enum { CALL_ARGUMENTS = PG_MAX_ARGUMENTS + 3 };

/* It contains pointers to itself: do not copy it. */
struct call {
    ffi_cif cif;
    ffi_type *types[CALL_ARGUMENTS];
    void *values[CALL_ARGUMENTS];
    int dim[PG_MAX_DIMS];
    int64_t wide_dim[PG_MAX_DIMS];
    size_t result_bytes; /* of the output, if it is returned; else 0 */
    unsigned operands;   /* inputs, and the block of outputs */
    unsigned char *first[PG_MAX_INPUTS + 1];
    uint64_t stride[PG_MAX_INPUTS + 1];
    unsigned sets; /* as in struct problem */
    uint32_t pairing;
    const struct problem *masked;      /* whose numbers by value are masked; else NULL */
    void *operand[PG_MAX_INPUTS + 1];  /* as passed; of the outputs, the block */
    size_t value_bytes[PG_MAX_INPUTS]; /* of an input that is passed by value; else 0 */
    uint64_t value[PG_MAX_INPUTS];
    unsigned outputs;
    size_t output_at[PG_MAX_OUTPUTS]; /* in the block; SIZE_MAX: there is none */
    void *output[PG_MAX_OUTPUTS];
};

/* What the launch kind adds: a handle, which is a pointer, or in some MPI libraries an int. It must
 * live as long as the call. */
struct call_extra {
    const void *value;
    size_t bytes;
};

/* extra: the last arguments. All operands are NULL until call_operand(). Ends the process if such a
 * call is impossible. */
void call_prepare(struct call *c, const struct pg_form *f, const struct call_extra *extra,
                  unsigned count);
/* The same for a device: a result is written to the output, by the last argument before `extra`. */
void call_prepare_device(struct call *c, const struct pg_form *f, const struct call_extra *extra,
                         unsigned count);
/* Matrix 0 of operand i, and the bytes from one matrix to the next. The output is the last one. */
void call_operand(struct call *c, unsigned i, const void *first, uint64_t stride);
/* Numbers by value are read from the mappings, where they are masked. After call_operand(). */
void call_masked(struct call *c, const struct problem *p);
/* Which inputs belong together. Without this call, problem r has matrix r of each. */
void call_combine(struct call *c, const struct problem *p);
/* All operands as they are mapped in this process. */
void call_mapped(struct call *c, const struct problem *p);
/* Call the function on problem `rep`. */
void call_make(struct call *c, void *function, unsigned rep);

#endif
