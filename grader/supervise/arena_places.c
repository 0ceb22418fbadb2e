/* Where the matrices of a problem lie in an arena. */
#include "supervise/arena.h"

#include "abi/pairs.h"

/* Address of the first matrix in an area. */
static unsigned char *first_of(const struct area *a, const struct pg_area *d)
{
    return a->map + d->file_offset + d->offset;
}

const void *arena_input(const struct arena *a, int i, unsigned rep)
{
    const unsigned at =
        pg_set_of((unsigned)i, (unsigned)a->kernel->inputs, rep, a->sets, a->pairing);
    return first_of(&a->in[i], &a->layout.in[i]) + at * a->layout.in[i].stride;
}

const void *arena_output(const struct arena *a, unsigned rep)
{
    return first_of(&a->out, &a->layout.out) + rep * a->layout.out.stride;
}

const void *arena_yard_output(const struct arena *a, unsigned rep)
{
    return first_of(&a->yard_out, &a->layout.out) + rep * a->layout.out.stride;
}
