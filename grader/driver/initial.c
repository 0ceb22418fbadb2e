#include "driver/initial.h"

#include "abi/pairs.h"

/* The problems from `rep` on whose sets follow each other. */
static unsigned rows_from(const struct problem *p, unsigned input, unsigned rep, unsigned reps)
{
    const unsigned first = pg_set_of(input, p->inputs, rep, p->sets, p->pairing);
    unsigned n = 1;
    while (rep + n < reps && pg_set_of(input, p->inputs, rep + n, p->sets, p->pairing) == first + n)
        n++;
    return n;
}

static void copy_one(const struct problem *p, unsigned output, unsigned reps,
                     void (*copy)(const struct problem *, const struct initial_rows *))
{
    const unsigned input = p->form.initial[output] - 1;
    const uint64_t from = (uint64_t)(p->in[input] - p->area[input].base),
                   to = (uint64_t)(p->out - p->area[p->inputs].base) +
                        (uint64_t)p->form.output_at[output] * PG_OUTPUT_ALIGN;
    for (unsigned r = 0; r < reps;) {
        const unsigned set = pg_set_of(input, p->inputs, r, p->sets, p->pairing);
        const struct initial_rows rows = {.input = input,
                                          .from = from + set * p->in_stride[input],
                                          .from_stride = p->in_stride[input],
                                          .to = to + r * p->out_stride,
                                          .to_stride = p->out_stride,
                                          .bytes = p->in_bytes[input],
                                          .count = rows_from(p, input, r, reps)};
        copy(p, &rows);
        r += rows.count;
    }
}

void initial_copy(const struct problem *p, unsigned reps,
                  void (*copy)(const struct problem *, const struct initial_rows *))
{
    for (uint32_t i = 0; i < p->form.outputs && i < PG_MAX_OUTPUTS; i++)
        if (p->form.initial[i] && p->form.initial[i] <= p->inputs)
            copy_one(p, i, reps, copy);
}
