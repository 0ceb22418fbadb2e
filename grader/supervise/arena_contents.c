/* What lies in the matrices of an arena: values, poison, and whether the poison around outputs is
 * still there. */
#include <string.h>

#include "base/random.h"
#include "kernel/element.h"
#include "kernel/file.h"
#include "kernel/outputs.h"
#include "supervise/arena_parts.h"

/* Address of the first matrix in an area. */
static unsigned char *first_of(const struct area *a, const struct pg_area *d)
{
    return a->map + d->file_offset + d->offset;
}

static bool has_number(const struct kernel *k)
{
    for (int i = 0; i < k->inputs; i++)
        if (k->in[i].by_value)
            return true;
    return false;
}

/* On the host, so many problems a run are needed before one call gains by computing several: with
 * fewer, calls usually take 100 us and more, and to start a team of threads costs little beside
 * that. Without need it is not done, since inputs in another order are slower to fetch: at calls of
 * 90 us, honest kernels took 3 % longer. */
enum { PAIRED_LEAST = 50 };

/* May problems combine inputs that were not made together? On the host they do where they are timed
 * many at a time. Ranks get numbers, and their blocks of operands, in the order of the problems. */
static bool is_paired(const struct arena *a, const struct test_case *c, unsigned reps)
{
    if (!kernel_inputs_mix(a->kernel) || kernel_in_place(a->kernel))
        return false;
    return a->where != ON_CORES || (c->kind == CASE_PERFORMANCE && reps >= PAIRED_LEAST &&
                                    !a->parts.ranks && !has_number(a->kernel));
}

void arena_generate(struct arena *a, const struct test_case *c, uint64_t first_run, unsigned reps)
{
    a->mask_is_old = true;
    a->sets = a->room_sets < reps ? a->room_sets : reps;
    a->pairing = is_paired(a, c, reps) ? (uint32_t)random_word() | 1 : 0;
    for (unsigned r = 0; r < a->sets; r++)
        for (int i = 0; i < a->kernel->inputs; i++)
            a->kernel->generate(a->kernel, c->shape, c->values, case_run_seed(c, first_run + r), i,
                                first_of(&a->in[i], &a->layout.in[i]) + r * a->layout.in[i].stride);
}

/* What is read there must show, but not hide the place: an index may lead to the guard pages behind
 * another input. Finite, since honest code multiplies what it reads too much of by 0. */
enum { STRAY_REAL = 1000003, STRAY_WHOLE = 5003, STRAY_BYTE = 99 };

static void put_strays(const struct arena *a, enum element_type t, unsigned char *p, size_t bytes)
{
    const size_t size = type_bytes(t);
    const int stray = a->zeros_around   ? 0
                      : type_is_real(t) ? STRAY_REAL
                      : size == 1       ? STRAY_BYTE
                                        : STRAY_WHOLE;
    for (size_t i = 0; i < bytes / size; i++)
        element_set_whole(t, p, i, stray);
}

void arena_fill_around(struct arena *a)
{
    for (int i = 0; i < a->kernel->inputs; i++) {
        const struct pg_area *d = &a->layout.in[i];
        const enum element_type t = a->kernel->in[i].type;
        unsigned char *first = first_of(&a->in[i], d);
        put_strays(a, t, first - d->offset, d->offset);
        for (unsigned r = 0; r < a->room_sets; r++)
            put_strays(a, t, first + r * d->stride + d->bytes, d->stride - d->bytes);
    }
}

void arena_set_input(struct arena *a, int i, unsigned rep, const void *values, size_t bytes)
{
    const struct pg_area *d = &a->layout.in[i];
    memcpy(first_of(&a->in[i], d) + rep * d->stride, values, bytes);
    a->mask_is_old = true;
}

void arena_mask(struct arena *a)
{
    if (!a->mask_is_old)
        return;
    a->mask_is_old = false;
    random_bytes(&a->key, sizeof a->key);
    for (unsigned i = 0; i < a->layout.form.inputs; i++) {
        const struct pg_area *d = &a->layout.in[i];
        const uint64_t *plain = (const uint64_t *)(void *)(a->in[i].map + d->file_offset);
        uint64_t *masked = (uint64_t *)(void *)(a->masked[i].map + d->file_offset);
        for (uint64_t k = 0; k < d->map_bytes / sizeof *masked; k++)
            masked[k] = plain[k] ^ pg_mask_word(a->key, i, k);
    }
}

/* Spare bytes after an output. */
static size_t bytes_after(const struct arena *a, bool last)
{
    const size_t align = a->padding.align;
    return (align - a->out_bytes % align) % align + (last ? a->padding.tail : 0);
}

/* What is changed in place has values before the call. */
static void put_initial(const struct arena *a, unsigned rep, void *block)
{
    const void *in[KERNEL_MAX_INPUTS];
    for (int i = 0; i < a->kernel->inputs; i++)
        in[i] = arena_input(a, i, rep);
    kernel_put_initial(a->kernel, a->shape, in, block);
}

void arena_poison(struct arena *a, uint64_t poison, unsigned reps)
{
    const struct pg_area *d = &a->layout.out;
    for (unsigned r = 0; r < reps; r++) {
        unsigned char *first = first_of(&a->out, d) + r * d->stride;
        /* before the first: everything up to the guard */
        size_t before = r == 0 ? d->offset : a->padding.align;
        size_t after = bytes_after(a, r + 1 == reps);
        kernel_poison(first - before, before, poison);
        kernel_poison(first, a->out_bytes, poison);
        kernel_poison(first + a->out_bytes, after, poison);
        if (a->where != ON_DEVICE) /* there these values are masked, as inputs are */
            put_initial(a, r, first);
    }
    if (arena_is_divided(a))
        arena_parts_poison(a, poison, reps);
}

void arena_prepare_yard(struct arena *a, unsigned reps)
{
    for (unsigned r = 0; r < reps; r++)
        put_initial(a, r, first_of(&a->yard_out, &a->layout.out) + r * a->layout.out.stride);
}

/* Index of the first byte that differs from the repeated pattern, or -1. The pattern begins `phase`
 * bytes before. */
static long first_difference(const unsigned char *p, size_t n, uint64_t poison, size_t phase)
{
    unsigned char pattern[sizeof poison];
    memcpy(pattern, &poison, sizeof pattern);
    for (size_t i = 0; i < n; i++)
        if (p[i] != pattern[(phase + i) % sizeof pattern])
            return (long)i;
    return -1;
}

/* Bytes from the end of one output of a block to the next one. */
static bool gaps_intact(const struct arena *a, const unsigned char *block, uint64_t poison,
                        struct stray *s)
{
    for (s->output = 0; s->output < a->kernel->more_outputs; s->output++) {
        const size_t end = kernel_output_at(a->kernel, a->shape, s->output) +
                           operand_bytes(kernel_output(a->kernel, s->output), a->shape);
        const size_t next = kernel_output_at(a->kernel, a->shape, s->output + 1);
        s->where = first_difference(block + end, next - end, poison, end);
        if (s->where < 0)
            continue;
        if ((size_t)s->where > (next - end) / 2) { /* nearer to the next one */
            s->output++;
            s->where -= (long)(next - end);
        }
        return false;
    }
    return true;
}

bool arena_surround_intact(const struct arena *a, uint64_t poison, unsigned reps, struct stray *s)
{
    const struct pg_area *d = &a->layout.out;
    if (arena_is_divided(a))
        return arena_parts_intact(a, poison, reps, s);
    s->rank = -1;
    for (unsigned r = 0; r < reps; r++) {
        const unsigned char *first = first_of(&a->out, d) + r * d->stride;
        size_t before = r == 0 ? d->offset : a->padding.align;
        size_t after = bytes_after(a, r + 1 == reps);
        if (!gaps_intact(a, first, poison, s))
            return false;
        s->output = a->kernel->more_outputs;
        s->where = first_difference(first + a->out_bytes, after, poison, 0);
        if (s->where >= 0)
            return false;
        s->output = 0;
        s->where = first_difference(first - before, before, poison, 0);
        if (s->where >= 0) {
            s->where -= (long)before;
            return false;
        }
    }
    return true;
}
