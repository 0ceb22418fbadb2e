/*
 * arena_parts.h - what each rank of MPI has of the problems in an arena, if the kernel says that
 * operands are on all ranks.
 *
 * The problems lie in the arena as always: there the yardstick, the trusted source and the checks
 * find them. A rank has a mapping of its own for its block of an input, and one for its outputs,
 * with guards around them. So it sees no more than it would on a node of its own. The proctor
 * copies inputs to these mappings before a run and outputs back after it, while all ranks are
 * halted. An input that is on all ranks lies in the arena only: all map it.
 */
#ifndef SUPERVISE_ARENA_PARTS_H
#define SUPERVISE_ARENA_PARTS_H

#include <stdbool.h>
#include <stdint.h>

#include "supervise/arena.h"

/* Lay out what `ranks` ranks have of the current layout, for ON_CORES. It holds until the next
 * layout. 0, or -1. */
int arena_divide(struct arena *a, int ranks, struct err *e);
static inline bool arena_is_divided(const struct arena *a)
{
    return a->parts.ranks > 0;
}
/* The descriptors for a CASE of a rank: of the inputs, then of the outputs. */
void arena_part_files(const struct arena *a, int rank, int fds[PG_MAX_INPUTS + 1]);

/* Give the ranks the inputs of `reps` problems. */
void arena_spread(struct arena *a, unsigned reps);
/* Copy the outputs of `reps` problems to the arena. What is on all ranks is that of rank 0. */
void arena_gather(struct arena *a, unsigned reps);
/* What a rank has of the outputs that are on all ranks takes the place of what rank 0 has. False:
 * it is the same. */
bool arena_view(struct arena *a, unsigned rep, int rank);

/* As arena_poison() and arena_surround_intact(), which call these. */
void arena_parts_poison(struct arena *a, uint64_t poison, unsigned reps);
bool arena_parts_intact(const struct arena *a, uint64_t poison, unsigned reps, struct stray *s);

void arena_parts_init(struct arena_parts *p);
void arena_parts_destroy(struct arena_parts *p);

#endif
