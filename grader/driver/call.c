#include "driver/call.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void add(struct call *c, unsigned *n, ffi_type *type, void *value)
{
    c->types[*n] = type;
    c->values[(*n)++] = value;
}

static ffi_type *result_type(uint32_t result)
{
    static ffi_type *const types[] = {[PG_RESULT_NONE] = &ffi_type_void,
                                      [PG_RESULT_I8] = &ffi_type_sint8,
                                      [PG_RESULT_U8] = &ffi_type_uint8,
                                      [PG_RESULT_I16] = &ffi_type_sint16,
                                      [PG_RESULT_U16] = &ffi_type_uint16,
                                      [PG_RESULT_I32] = &ffi_type_sint32,
                                      [PG_RESULT_U32] = &ffi_type_uint32,
                                      [PG_RESULT_I64] = &ffi_type_sint64,
                                      [PG_RESULT_U64] = &ffi_type_uint64,
                                      [PG_RESULT_F32] = &ffi_type_float,
                                      [PG_RESULT_F64] = &ffi_type_double,
#ifdef FFI_TARGET_HAS_COMPLEX_TYPE
                                      [PG_RESULT_C64] = &ffi_type_complex_float,
                                      [PG_RESULT_C128] = &ffi_type_complex_double
#endif
    };
    return result < sizeof types / sizeof types[0] ? types[result] : NULL;
}

/* The arguments that the form names. False: there is no such argument. */
static bool add_arguments(struct call *c, const struct pg_form *f, unsigned *n)
{
    for (uint32_t i = 0; i < f->arguments; i++) {
        const uint32_t a = f->argument[i];
        const uint32_t operand = a - PG_OPERAND, wide = a - PG_WIDE;
        if (a < f->dims)
            add(c, n, &ffi_type_sint, &c->dim[a]);
        else if (wide < f->dims)
            add(c, n, &ffi_type_sint64, &c->wide_dim[wide]);
        else if (a >= PG_OPERAND && operand < f->inputs && f->value[operand])
            add(c, n, result_type(f->value[operand]), &c->value[operand]);
        else if (a >= PG_OPERAND && operand < f->inputs)
            add(c, n, &ffi_type_pointer, &c->operand[operand]);
        else if (a >= PG_OPERAND && operand - f->inputs < f->outputs)
            add(c, n, &ffi_type_pointer, &c->output[operand - f->inputs]);
        else
            return false;
    }
    return true;
}

void call_prepare(struct call *c, const struct pg_form *f, const struct call_extra *extra,
                  unsigned count)
{
    unsigned n = 0;
    ffi_type *result = result_type(f->result);
    if (f->dims > PG_MAX_DIMS || f->inputs > PG_MAX_INPUTS || f->arguments > PG_MAX_ARGUMENTS ||
        f->outputs > PG_MAX_OUTPUTS || !result)
        abort();
    *c = (struct call){.operands = f->inputs + 1,
                       .result_bytes = f->result == PG_RESULT_NONE ? 0 : result->size};
    memcpy(c->dim, f->dim, f->dims * sizeof *f->dim);
    for (uint32_t i = 0; i < f->dims; i++)
        c->wide_dim[i] = f->dim[i];
    for (uint32_t i = 0; i < f->inputs; i++) {
        ffi_type *type = result_type(f->value[i]);
        if (!type || type->size > sizeof *c->value)
            abort();
        c->value_bytes[i] = f->value[i] == PG_RESULT_NONE ? 0 : type->size;
    }
    c->outputs = f->outputs;
    for (uint32_t i = 0; i < f->outputs; i++)
        c->output_at[i] = f->output_at[i] == PG_OUTPUT_ABSENT
                              ? SIZE_MAX
                              : (size_t)f->output_at[i] * PG_OUTPUT_ALIGN;
    if (!add_arguments(c, f, &n))
        abort();
    for (unsigned i = 0; i < count; i++)
        add(c, &n, extra[i].bytes == sizeof(int) ? &ffi_type_sint : &ffi_type_pointer,
            (void *)(uintptr_t)extra[i].value);
    if (ffi_prep_cif(&c->cif, FFI_DEFAULT_ABI, n, result, c->types) == FFI_OK)
        return;
    fputs("paragrade driver: this machine cannot make such a call\n", stderr);
    exit(70);
}

void call_prepare_device(struct call *c, const struct pg_form *f, const struct call_extra *extra,
                         unsigned count)
{
    struct pg_form moved = *f;
    if (f->result != PG_RESULT_NONE && f->arguments < PG_MAX_ARGUMENTS) {
        moved.argument[moved.arguments++] = PG_OPERAND + f->inputs;
        moved.result = PG_RESULT_NONE;
    }
    call_prepare(c, &moved, extra, count);
}

void call_operand(struct call *c, unsigned i, const void *first, uint64_t stride)
{
    c->first[i] = (unsigned char *)(uintptr_t)first;
    c->stride[i] = stride;
}

void call_masked(struct call *c, const struct problem *p)
{
    c->masked = p;
    for (unsigned i = 0; i < p->inputs; i++)
        if (c->value_bytes[i])
            call_operand(c, i, p->in[i], p->in_stride[i]);
}

/* The number at a place of the mapping of input i. */
static void read_value(struct call *c, unsigned i, const unsigned char *at)
{
    memcpy(&c->value[i], at, c->masked ? sizeof c->value[i] : c->value_bytes[i]);
    if (c->masked) /* a number begins at a multiple of 512 bytes, and its low bytes come first */
        c->value[i] ^= pg_mask_word(c->masked->key, i,
                                    (uint64_t)(at - c->masked->area[i].base) / sizeof c->value[i]);
}

void call_combine(struct call *c, const struct problem *p)
{
    c->sets = p->sets;
    c->pairing = p->pairing;
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
        const bool output = i + 1 == c->operands;
        const unsigned at = output ? rep : pg_set_of(i, c->operands - 1, rep, c->sets, c->pairing);
        c->operand[i] = c->first[i] ? c->first[i] + at * c->stride[i] : NULL;
        if (!output && c->value_bytes[i] && c->operand[i])
            read_value(c, i, c->operand[i]);
    }
    unsigned char *block = c->operand[c->operands - 1];
    for (unsigned i = 0; i < c->outputs; i++)
        c->output[i] = block && c->output_at[i] != SIZE_MAX ? block + c->output_at[i] : NULL;
    if (!c->result_bytes) {
        ffi_call(&c->cif, callee.function, NULL, c->values);
        return;
    }
    union { /* libffi widens small integers */
        ffi_arg whole;
        uint64_t wide;
        double number[2];
    } result = {0};
    ffi_call(&c->cif, callee.function, &result, c->values);
    if (c->output[0])
        memcpy(c->output[0], &result, c->result_bytes);
}
