#include "supervise/arena_parts.h"

#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "kernel/outputs.h"
#include "kernel/part.h"

/* Spare bytes before a rank's outputs, and between those of two problems. */
enum { BEFORE = 4096, ALIGN = 64 };

void arena_parts_init(struct arena_parts *p)
{
    *p = (struct arena_parts){0};
}

void arena_parts_destroy(struct arena_parts *p)
{
    for (int r = 0; r < p->room; r++) {
        for (int i = 0; i < KERNEL_MAX_INPUTS; i++)
            area_destroy(&p->file[r].in[i]);
        area_destroy(&p->file[r].out);
    }
    free(p->file);
    free(p->of);
    arena_parts_init(p);
}

static struct part part_of_output(const struct arena *a, int output, int rank)
{
    return operand_part(kernel_output(a->kernel, output), a->shape, rank, a->parts.ranks);
}

/* Is the input the initial values of an output? The function does not get it. */
static bool is_hidden(const struct kernel *k, int input)
{
    bool hidden = false;
    for (int i = 0; i < kernel_outputs(k); i++)
        hidden = hidden || kernel_output(k, i)->initial == input + 1;
    return hidden;
}

/* --- layout ----------------------------------------------------------------------------------- */

/* Without bytes: the rank has no such input. */
static struct pg_area place_input(const struct arena *a, int i, int rank)
{
    const struct operand *o = &a->kernel->in[i];
    const struct part p = operand_part(o, a->shape, rank, a->parts.ranks);
    if (!p.here || is_hidden(a->kernel, i))
        return (struct pg_area){0};
    if (o->on != ON_BLOCK)
        return a->layout.in[i];
    struct pg_area d =
        area_place((struct spacing){.room = area_round(p.bytes ? p.bytes : 1, ALIGN)}, a->reps);
    d.bytes = p.bytes;
    return d;
}

/* Where the rank's outputs lie in its block; the bytes of the block. */
static size_t place_outputs(const struct arena *a, int rank, uint32_t at[PG_MAX_OUTPUTS])
{
    size_t end = 0;
    for (int i = 0; i < kernel_outputs(a->kernel); i++) {
        const struct part p = part_of_output(a, i, rank);
        at[i] = PG_OUTPUT_ABSENT;
        if (!p.here)
            continue;
        if (end)
            end = area_round(end + OUTPUT_GAP, OUTPUT_ALIGN);
        at[i] = (uint32_t)(end / OUTPUT_ALIGN);
        end += p.bytes ? p.bytes : 1;
    }
    return end;
}

static void place(struct arena *a, int rank)
{
    struct pg_case *c = &a->parts.of[rank];
    *c = a->layout;
    c->spread = 1;
    for (int i = 0; i < a->kernel->inputs; i++)
        c->in[i] = place_input(a, i, rank);
    const size_t bytes = place_outputs(a, rank, c->form.output_at);
    c->out = area_place((struct spacing){area_round(bytes ? bytes : 1, ALIGN), BEFORE, ALIGN, 0},
                        a->reps);
    c->out.bytes = bytes;
}

/* Each rank has a file of its own: a mapping of one for all could be made larger by a rank, which
 * then has its neighbours' blocks. */
static int use_file(const struct arena *a, struct area *file, struct pg_area *d, const char *name,
                    bool sealed, struct err *e)
{
    if (file->fd < 0 || file->capacity < d->map_bytes) {
        const size_t some = d->map_bytes ? a->out_pool / (size_t)a->parts.ranks / d->map_bytes : 1;
        area_destroy(file);
        if (area_create(file, name, d->map_bytes * (some > 1 ? some : 1), sealed, e) != 0) {
            area_destroy(file);
            return -1;
        }
    }
    d->file_offset = 0;
    *d = area_moved(*d, file->capacity, a->placement);
    return area_use(file, d, e);
}

static void make_room(struct arena_parts *p, int ranks)
{
    p->of = xrealloc_array(p->of, (size_t)ranks, sizeof *p->of);
    if (ranks > p->room)
        p->file = xrealloc_array(p->file, (size_t)ranks, sizeof *p->file);
    for (; p->room < ranks; p->room++) {
        struct rank_files *f = &p->file[p->room];
        *f = (struct rank_files){.out = {.fd = -1}};
        for (int i = 0; i < KERNEL_MAX_INPUTS; i++)
            f->in[i].fd = -1;
    }
}

static int use_files(struct arena *a, int rank, struct err *e)
{
    struct rank_files *f = &a->parts.file[rank];
    struct pg_case *c = &a->parts.of[rank];
    for (int i = 0; i < a->kernel->inputs; i++)
        if (a->kernel->in[i].on == ON_BLOCK &&
            use_file(a, &f->in[i], &c->in[i], a->kernel->in[i].name, true, e) != 0)
            return -1;
    return use_file(a, &f->out, &c->out, a->kernel->out.name, false, e);
}

int arena_divide(struct arena *a, int ranks, struct err *e)
{
    struct arena_parts *p = &a->parts;
    p->ranks = ranks;
    make_room(p, ranks);
    for (int r = 0; r < ranks; r++) {
        place(a, r);
        if (use_files(a, r, e) != 0) {
            p->ranks = 0;
            return -1;
        }
    }
    return 0;
}

void arena_part_files(const struct arena *a, int rank, int fds[PG_MAX_INPUTS + 1])
{
    const struct pg_case *c = &a->parts.of[rank];
    const struct rank_files *f = &a->parts.file[rank];
    for (int i = 0; i < a->kernel->inputs; i++)
        fds[i] = !c->in[i].map_bytes               ? f->out.fd /* it is not mapped */
                 : a->kernel->in[i].on == ON_BLOCK ? f->in[i].fd
                                                   : a->in[i].fd;
    fds[a->kernel->inputs] = f->out.fd;
}

/* --- contents --------------------------------------------------------------------------------- */

static unsigned char *first_of(const struct area *file, const struct pg_area *d, unsigned rep)
{
    return file->map + d->file_offset + d->offset + rep * d->stride;
}

/* What a rank has of output i of a problem; NULL: nothing. */
static unsigned char *output_at(const struct arena *a, int rank, int i, unsigned rep)
{
    const struct pg_case *c = &a->parts.of[rank];
    if (c->form.output_at[i] == PG_OUTPUT_ABSENT)
        return NULL;
    return first_of(&a->parts.file[rank].out, &c->out, rep) +
           (size_t)c->form.output_at[i] * OUTPUT_ALIGN;
}

void arena_spread(struct arena *a, unsigned reps)
{
    for (int i = 0; i < a->kernel->inputs; i++)
        for (int r = 0; r < a->parts.ranks && a->kernel->in[i].on == ON_BLOCK; r++) {
            const struct part p = operand_part(&a->kernel->in[i], a->shape, r, a->parts.ranks);
            for (unsigned rep = 0; rep < reps; rep++)
                memcpy(first_of(&a->parts.file[r].in[i], &a->parts.of[r].in[i], rep),
                       (const unsigned char *)arena_input(a, i, rep) + p.at, p.bytes);
        }
}

static unsigned char *whole_output(const struct arena *a, int i, unsigned rep)
{
    return (unsigned char *)(uintptr_t)arena_output(a, rep) +
           kernel_output_at(a->kernel, a->shape, i);
}

void arena_gather(struct arena *a, unsigned reps)
{
    for (int i = 0; i < kernel_outputs(a->kernel); i++)
        for (int r = 0; r < a->parts.ranks; r++) {
            const struct part p = part_of_output(a, i, r);
            const bool counts = p.here && (r == 0 || kernel_output(a->kernel, i)->on == ON_BLOCK);
            for (unsigned rep = 0; rep < reps && counts; rep++)
                memcpy(whole_output(a, i, rep) + p.at, output_at(a, r, i, rep), p.bytes);
        }
}

bool arena_view(struct arena *a, unsigned rep, int rank)
{
    bool other = false;
    for (int i = 0; i < kernel_outputs(a->kernel); i++) {
        const size_t bytes = part_of_output(a, i, rank).bytes;
        if (kernel_output(a->kernel, i)->on != ON_ALL)
            continue;
        other = other || memcmp(output_at(a, 0, i, rep), output_at(a, rank, i, rep), bytes) != 0;
        memcpy(whole_output(a, i, rep), output_at(a, rank, i, rep), bytes);
    }
    return other;
}

/* The pattern as it is `at` bytes after its beginning. */
static uint64_t turned(uint64_t pattern, size_t at)
{
    const unsigned bits = 8 * (unsigned)(at % sizeof pattern);
    return bits ? pattern >> bits | pattern << (64 - bits) : pattern;
}

/* Elements hold the poison that they would hold in one piece, so that the checks know it. */
static void poison_output(struct arena *a, int rank, int i, unsigned rep, uint64_t poison)
{
    const struct operand *o = kernel_output(a->kernel, i);
    const struct part p = part_of_output(a, i, rank);
    unsigned char *to = output_at(a, rank, i, rep);
    if (to && o->initial)
        memcpy(to, (const unsigned char *)arena_input(a, o->initial - 1, rep) + p.at, p.bytes);
    else if (to)
        kernel_poison(to, p.bytes, turned(poison, kernel_output_at(a->kernel, a->shape, i) + p.at));
}

void arena_parts_poison(struct arena *a, uint64_t poison, unsigned reps)
{
    for (int r = 0; r < a->parts.ranks; r++) {
        const struct pg_area *d = &a->parts.of[r].out;
        kernel_poison(a->parts.file[r].out.map + d->file_offset, d->map_bytes, poison);
        for (unsigned rep = 0; rep < reps; rep++)
            for (int i = 0; i < kernel_outputs(a->kernel); i++)
                poison_output(a, r, i, rep, poison);
    }
}

/* Do the bytes from one place of a rank's mapping to another still hold the poison? */
static bool intact(const unsigned char *map, size_t from, size_t end, uint64_t poison,
                   size_t *where)
{
    unsigned char pattern[sizeof poison];
    memcpy(pattern, &poison, sizeof pattern);
    for (*where = from; *where < end; ++*where)
        if (map[*where] != pattern[*where % sizeof pattern])
            return false;
    return true;
}

/* Look at what is before each output, and behind the last one. */
static bool rank_intact(const struct arena *a, int rank, uint64_t poison, unsigned reps,
                        struct stray *s)
{
    const struct pg_area *d = &a->parts.of[rank].out;
    const unsigned char *map = a->parts.file[rank].out.map + d->file_offset;
    size_t end = 0, where;
    s->output = 0;
    for (unsigned rep = 0; rep < reps; rep++)
        for (int i = 0; i < kernel_outputs(a->kernel); i++) {
            const unsigned char *at = output_at(a, rank, i, rep);
            if (!at)
                continue;
            const size_t first = (size_t)(at - map);
            if (!intact(map, end, first, poison, &where)) {
                const bool before = !end || first - where <= where - end;
                s->output = before ? i : s->output;
                s->where = before ? (long)where - (long)first : (long)(where - end);
                return false;
            }
            s->output = i;
            end = first + part_of_output(a, i, rank).bytes;
        }
    s->where = 0;
    const bool good = intact(map, end, d->map_bytes, poison, &where);
    s->where = (long)(where - end);
    return good;
}

bool arena_parts_intact(const struct arena *a, uint64_t poison, unsigned reps, struct stray *s)
{
    for (s->rank = 0; s->rank < a->parts.ranks; s->rank++)
        if (!rank_intact(a, s->rank, poison, reps, s))
            return false;
    s->rank = -1;
    return true;
}
