/*
 * harness_steps.h - a function that gets a number of steps, and changes its output in place: called
 * for one step after the other, in place of all at once. What it does anew in each step, it does in
 * each call.
 */
#ifndef MEASURE_HARNESS_STEPS_H
#define MEASURE_HARNESS_STEPS_H

#include "measure/harness_check.h"

/* Can the input be the number of steps? */
bool harness_may_step(const struct kernel *k, int input);

/* As harness_execute(), of one problem, whose output has its values before the call; h->stepped is
 * the input that says how many steps. Where these are fewer than two, or very many, it is called
 * once. */
void harness_steps(struct harness *h, const struct batch *b, const struct execution *x,
                   struct timing *t, struct outcome *o);

#endif
