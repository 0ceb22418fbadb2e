/*
 * arena.h - the matrices, owned by the proctor and lent to drivers as file descriptors.
 *
 * Inputs are sealed against any writing but through the mapping that the proctor made before the
 * seal; the output is an ordinary shared file of fixed size. Layout in abi/protocol.h.
 */
#ifndef SUPERVISE_ARENA_H
#define SUPERVISE_ARENA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "abi/protocol.h"
#include "base/err.h"
#include "kernel/kernel.h"
#include "model/cases.h"

struct area {
    int fd;
    unsigned char *map;
    size_t capacity;
};

struct arena {
    const struct kernel *kernel;
    struct area in[KERNEL_MAX_INPUTS];
    struct area out;       /* the unit's */
    struct area yard_out;  /* the yardstick's: the right answer of timed samples */
    struct pg_case layout; /* of the case laid out last */
    unsigned placement;    /* for layouts to come; see arena_move() */
    struct pg_key key;     /* of the mask, see arena_mask() */
    bool masked;           /* the inputs are */
    size_t out_bytes;      /* of one output */
    size_t tail;           /* spare bytes behind the last output */
};

/* Room for `pool_bytes` per matrix kind, whose physical pages are in no order, and at least for one
 * problem of every given shape. */
int arena_create(struct arena *a, const struct kernel *k, const struct shape *largest,
                 size_t shapes, size_t pool_bytes, struct err *e);
void arena_destroy(struct arena *a);

/* Lay out a case for reps problems; fills a->layout. -1 when it does not fit. mirrored: for a
 * device, which has no guard pages: then the output is followed by spare bytes instead. */
int arena_layout(struct arena *a, struct shape s, unsigned reps, bool mirrored, struct err *e);
/* Lay out what comes next in other pages, as far as there are any. A kernel that lives on the
 * second-level cache takes a tenth more or less, as the physical pages of its matrices happen to
 * share sets of it: who wants to know how fast it is must look at several placements. */
void arena_move(struct arena *a);
/* Whether the case laid out last would then lie elsewhere. */
bool arena_has_room(const struct arena *a);
/* How many problems of a shape fit; at least 1 for shapes given to arena_create. */
unsigned arena_capacity(const struct arena *a, struct shape s);

const void *arena_input(const struct arena *a, int i, unsigned rep);
const void *arena_output(const struct arena *a, unsigned rep);
const void *arena_yard_output(const struct arena *a, unsigned rep);

/* Fresh inputs for `reps` problems (runs first_run, first_run + 1, ...). */
void arena_generate(struct arena *a, const struct test_case *c, uint64_t first_run, unsigned reps);
/* Mask the inputs for their way to a device, with a new key, unless they are masked already; and
 * the other way round. Values that are generated anew are not masked. */
void arena_mask(struct arena *a);
void arena_unmask(struct arena *a);
/* Poison the outputs and everything between and around them. */
void arena_poison(struct arena *a, uint64_t poison, unsigned reps);
/* True when every byte around the outputs still holds the poison; else *where receives the
 * distance in bytes from the nearest output (negative: before its start). */
bool arena_surround_intact(const struct arena *a, uint64_t poison, unsigned reps, long *where);

#endif
