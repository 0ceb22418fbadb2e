/*
 * maker.h - values that a C function of the instructor makes (`call` in a kernel file), in a
 * process of its own.
 *
 * It gets the name of the kind of values and a key, and writes all inputs of one problem. Whatever
 * it does, nobody loses points for it.
 */
#ifndef MEASURE_MAKER_H
#define MEASURE_MAKER_H

#include "measure/helper_process.h"
#include "model/cases.h"

struct maker {
    struct helper_process process; /* kernel: what makes values */
};

/* Inputs of one problem are made from `key`, which the function gets as it is. Outputs of the
 * process's arena then hold all of them, in a block. 0, or -1 with *o. */
int maker_make(struct maker *m, const struct test_case *c, uint64_t key, uint64_t poison,
               struct outcome *o);
/* Of the block of maker_make(): input i. */
const void *maker_input(const struct maker *m, int i);

/* Where the case's kind of values has `call`, put those inputs in place of those that
 * arena_generate() has made for the same runs. 0, or -1 with *o. */
int maker_fill(struct maker *m, struct arena *a, const struct test_case *c, uint64_t first_run,
               struct outcome *o);

#endif
