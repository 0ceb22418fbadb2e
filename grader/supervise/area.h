/* area.h - shared memory in a file, for matrices of one kind, and how matrices lie in it. */
#ifndef SUPERVISE_AREA_H
#define SUPERVISE_AREA_H

#include <stdbool.h>
#include <stddef.h>

#include "abi/protocol.h"
#include "base/err.h"

enum { AREA_PAGE = 4096 };

struct area {
    const char *name;
    int fd;
    unsigned char *map;
    size_t capacity;
    bool sealed;
    bool *touched; /* by chunks: has it got its pages? See area_use(). Owned */
    size_t touched_bytes;
};

size_t area_round(size_t n, size_t to);

/* Create the file, without pages. sealed: only the mapping of this process can write. 0, or -1. */
int area_create(struct area *a, const char *name, size_t capacity, bool sealed, struct err *e);
void area_destroy(struct area *a);
/* Take the pages of a layout. 0, or -1. */
int area_use(struct area *a, const struct pg_area *d, struct err *e);

/* The room of one matrix, and the spare bytes around several of them. */
struct spacing {
    size_t room, before, gap, tail;
};

/* Place `reps` matrices: at least `before` spare bytes, the matrices with `gap` bytes between them,
 * and `tail` spare bytes up to the end of the mapping. */
struct pg_area area_place(struct spacing s, unsigned reps);
/* The same mapping in other pages of a file of that capacity, as far as there are any. */
struct pg_area area_moved(struct pg_area d, size_t capacity, unsigned placement);

#endif
