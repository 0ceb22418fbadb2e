/*
 * calls_explain.h - why a program of several ranks is wrong, from its calls of MPI: some do not fit
 * those of other ranks, or with another operation or type the result is right.
 */
#ifndef SUPERVISE_CALLS_EXPLAIN_H
#define SUPERVISE_CALLS_EXPLAIN_H

#include "kernel/kernel.h"
#include "model/cause.h"
#include "supervise/driver_calls.h"

/* The words, or NULL: nothing is known. *c: what the oracle fills in a trial that notes calls.
 * unset: the result depends on memory that was never set. The caller frees it. */
char *calls_explain(const struct cause_question *q, const struct kernel *k, bool unset,
                    struct driver_calls *c);

#endif
