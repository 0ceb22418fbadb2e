/*
 * arena.h - the matrices. The proctor owns them and passes them to drivers as file descriptors.
 *
 * Inputs are sealed: only the mapping that the proctor made before the seal can write to them. The
 * output is an ordinary shared file of fixed size. abi/protocol.h describes the layout.
 *
 * A driver that copies inputs to a device only gets files with the masked inputs (abi/mask.h). It
 * never has the others, so nothing that it left running on the device can read them early.
 */
#ifndef SUPERVISE_ARENA_H
#define SUPERVISE_ARENA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "kernel/kernel.h"
#include "model/cases.h"
#include "model/launch_kind.h"
#include "model/matrix_pool.h"
#include "supervise/area.h"

/* In bytes. */
struct padding {
    size_t align; /* of every matrix */
    size_t tail;  /* spare bytes after the last output */
};

/* What a rank has that others have not. */
struct rank_files {
    struct area in[KERNEL_MAX_INPUTS], out;
};

/* arena_parts.h fills it. */
struct arena_parts {
    int ranks;               /* 0: the layout is not divided */
    int room;                /* ranks that have files, from earlier layouts, too */
    struct rank_files *file; /* of each rank */
    struct pg_case *of;      /* what each rank gets */
};

struct arena {
    const struct kernel *kernel;
    struct area in[KERNEL_MAX_INPUTS];
    struct area masked[KERNEL_MAX_INPUTS]; /* the same inputs, masked; see arena_mask() */
    struct area out;                       /* the unit's output */
    struct area yard_out;                  /* the yardstick's: the right answer of timed runs */
    struct pg_case layout;                 /* of the last arena_layout() */
    unsigned placement;                    /* for later layouts, see arena_move() */
    struct pg_key key;                     /* of the masked inputs */
    unsigned sets;                         /* of inputs */
    uint32_t pairing;                      /* of the last input: see abi/pairs.h */
    unsigned room_sets;                    /* of the layout */
    bool mask_is_old;   /* the masked inputs are not those of the last arena_generate() */
    struct shape shape; /* of the layout */
    size_t out_bytes;   /* of the outputs of one problem */
    size_t in_pool[KERNEL_MAX_INPUTS], out_pool; /* bytes of them for the host */
    struct padding padding;
    enum computes where; /* of the layout */
    bool zeros_around;   /* around inputs of later layouts, in place of strays */
    unsigned reps;       /* of the layout */
    struct arena_parts parts;
};

/* Create the files, with the room of `pool` and at least for one problem of each of the `shapes`
 * given shapes. Their physical pages are in random order; they are taken
 * when a layout first needs them. -1 on failure; then there is nothing to destroy. */
int arena_create(struct arena *a, const struct kernel *k, const struct shape *largest,
                 size_t shapes, struct matrix_pool pool, struct err *e);
void arena_destroy(struct arena *a);

/* Lay out a case for `reps` problems; fills a->layout. No driver may run meanwhile, and each gets
 * the descriptors anew for this layout. -1 when it does not fit, or there is no memory. For a
 * device, There are no guard pages there, so spare bytes follow the output. Matrices are
 * aligned as cudaMalloc() aligns them, because students bind them to textures and load vectors from
 * them. */
int arena_layout(struct arena *a, struct shape s, unsigned reps, enum computes computes,
                 struct err *e);
/* What a kernel finds that reads the bytes around an input: the same in every layout, and too large
 * to change nothing. */
void arena_fill_around(struct arena *a);
/* Use other pages for the next layouts, as far as there are any. The time of a kernel that works in
 * the second-level cache varies by a tenth, depending on which physical pages share cache sets. So
 * a measurement should use several placements. */
void arena_move(struct arena *a);
/* True when the current layout would be in other pages after arena_move(). */
bool arena_has_room(const struct arena *a);
/* How many problems of a shape fit; at least 1 for shapes given to arena_create(). mirrored: for a
 * device, where problems share inputs. */
unsigned arena_capacity(const struct arena *a, struct shape s, bool mirrored);

/* Of problem `rep`. */
const void *arena_input(const struct arena *a, int i, unsigned rep);
const void *arena_output(const struct arena *a, unsigned rep);
const void *arena_yard_output(const struct arena *a, unsigned rep);

/* Generate inputs for `reps` problems: the values of runs first_run, first_run + 1, ... For a
 * device, there may be fewer sets. The pairing is random on a device and in timed runs, where
 * inputs may be combined: nobody can know which ones belong together before the clock starts. */
void arena_generate(struct arena *a, const struct test_case *c, uint64_t first_run, unsigned reps);
/* Another input of a problem, in place of the generated one. */
void arena_set_input(struct arena *a, int i, unsigned rep, const void *values, size_t bytes);
/* Mask the inputs with a new key, unless this was done since they were generated. */
void arena_mask(struct arena *a);
/* Fill the outputs, and all bytes between and around them, with the poison. What is changed in
 * place gets its initial values; for a device it does not, because its driver copies them. */
void arena_poison(struct arena *a, uint64_t poison, unsigned reps);
/* Give the yardstick's outputs their initial values. */
void arena_prepare_yard(struct arena *a, unsigned reps);
/* A byte that was written around an output. */
struct stray {
    int output;
    int rank;   /* that has it; -1: not divided */
    long where; /* bytes past its end, or negative, before its start */
};
/* True when every byte around the outputs still holds the poison; otherwise *s is the first other
 * one. */
bool arena_surround_intact(const struct arena *a, uint64_t poison, unsigned reps, struct stray *s);

#endif
