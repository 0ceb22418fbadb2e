/*
 * profile_rows.h - what a profiler recorded, added up by name, as rows for the proctor. The files
 * profile_*.c fill it.
 */
#ifndef DRIVER_PROFILE_ROWS_H
#define DRIVER_PROFILE_ROWS_H

#include "abi/protocol.h"

/* Times are in nanoseconds, of one clock. */

/* Forget all rows. */
void profile_rows_reset(void);

/* A kernel or a copy. Returns its row, or NULL if there are too many rows. */
struct pg_profile_row *profile_rows_add(enum pg_activity activity, const char *name, uint64_t start,
                                        uint64_t end);

/* A call of an interface. A call of the driver's interface (cuMemAlloc) that a call of the
 * runtime's (cudaMalloc) makes in the same thread does not count: its time is in that call. The
 * order of these calls does not matter. `name` must stay. Its version ("_v7000") is left out. */
enum profile_layer { LAYER_RUNTIME, LAYER_DRIVER };
void profile_rows_call(enum profile_layer layer, const char *name, uint32_t thread, uint64_t start,
                       uint64_t end);

/* Call `send` for each row, then forget all rows. */
void profile_rows_send(void (*send)(const struct pg_profile_row *));

#endif
