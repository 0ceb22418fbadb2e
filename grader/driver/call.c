#include "driver/call.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void add(struct call *c, unsigned *n, ffi_type *type, void *value)
{
    c->types[*n] = type;
    c->values[(*n)++] = value;
}

void call_prepare(struct call *c, unsigned dims, const int *dim, unsigned inputs, void *extra,
                  size_t extra_bytes)
{
    unsigned n = 0;
    if (dims > PG_MAX_DIMS || inputs > PG_MAX_INPUTS)
        abort();
    *c = (struct call){.operands = inputs + 1};
    memcpy(c->dim, dim, dims * sizeof *dim);
    for (unsigned i = 0; i < dims; i++)
        add(c, &n, &ffi_type_sint, &c->dim[i]);
    for (unsigned i = 0; i < c->operands; i++)
        add(c, &n, &ffi_type_pointer, &c->operand[i]);
    if (extra_bytes) /* a handle: a pointer, or in some MPI libraries an int */
        add(c, &n, extra_bytes == sizeof(int) ? &ffi_type_sint : &ffi_type_pointer, extra);
    if (ffi_prep_cif(&c->cif, FFI_DEFAULT_ABI, n, &ffi_type_void, c->types) == FFI_OK)
        return;
    fputs("paragrade driver: this machine cannot make such a call\n", stderr);
    exit(70);
}

void call_operand(struct call *c, unsigned i, const void *first, uint64_t stride)
{
    c->first[i] = (unsigned char *)(uintptr_t)first;
    c->stride[i] = stride;
}

void call_combine(struct call *c, const struct problem *p)
{
    c->sets = p->sets;
    c->shift = p->shift;
}

void call_mapped(struct call *c, const struct problem *p)
{
    for (unsigned i = 0; i < p->inputs; i++)
        call_operand(c, i, p->in[i], p->in_stride[i]);
    call_operand(c, p->inputs, p->out, p->out_stride);
}

void call_make(struct call *c, void *function, unsigned rep)
{
    const union { /* POSIX: a function has an address like an object */
        void *object;
        void (*function)(void);
    } callee = {function};
    for (unsigned i = 0; i < c->operands; i++) {
        const bool last_input = i > 0 && i + 2 == c->operands, output = i + 1 == c->operands;
        const unsigned at = output || !c->sets ? rep
                            : last_input       ? (rep + rep / c->sets + c->shift) % c->sets
                                               : rep % c->sets;
        c->operand[i] = c->first[i] ? c->first[i] + at * c->stride[i] : NULL;
    }
    ffi_call(&c->cif, callee.function, NULL, c->values);
}
