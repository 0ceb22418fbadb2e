/* Ranks that compute on the cores of their node. */
#include <string.h>

#include "driver/rank_work.h"

bool rank_begin(MPI_Comm all)
{
    (void)all;
    return true;
}

enum filter_kind rank_filter(void)
{
    return FILTER_MPI;
}

void rank_name(char *text, size_t cap)
{
    (void)text;
    (void)cap;
}

void rank_prepare(struct call *c, const struct pg_form *f, const struct problem *p,
                  const MPI_Comm *world)
{
    const struct call_extra extra = {world, sizeof *world};
    call_prepare(c, f, &extra, 1);
    if (!p)
        return;
    call_mapped(c, p);
    call_combine(c, p);
}

uint64_t rank_value(const struct problem *p, uint32_t input, unsigned r)
{
    uint64_t value = 0;
    const uint64_t bytes = p->in_bytes[input];
    memcpy(&value, p->in[input] + r * p->in_stride[input],
           bytes < sizeof value ? bytes : sizeof value);
    return value;
}

double rank_compute(struct call *c, void *kernel, const struct problem *p, unsigned reps)
{
    (void)p;
    for (unsigned r = 0; r < reps; r++)
        call_make(c, kernel, r);
    return -1;
}

void rank_end(MPI_Comm all)
{
    MPI_Barrier(all);
}

void rank_wake(void)
{
}
