/*
 * harness_parts.h - what stand.c (running and checking cases), stand_race.c (looking for races) and
 * stand_time.c (timing) share. For these alone.
 */
#ifndef MEASURE_HARNESS_PARTS_H
#define MEASURE_HARNESS_PARTS_H

#include "measure/harness.h"
#include "supervise/driver_run.h"

/* Nobody can foresee it, and it has no zero byte. */
uint64_t harness_poison(void);

/* The whole way of one execution: to a device the masked inputs, compute, output back. Times the
 * computing. The inputs in the arena are masked afterwards where there is a device. */
void harness_execute(struct harness *s, struct driver_process *x, unsigned reps, int64_t limit_ms,
                     int64_t copy_limit_ms, struct timing *t, struct outcome *o);

/* Compare one output with the right answer; the bytes around all of them with the poison. */
void harness_judge(const struct harness *s, const struct test_case *c, const void *expected,
                   const void *got, uint64_t poison, struct case_result *r);
void harness_judge_surround(const struct harness *s, uint64_t poison, unsigned reps,
                            struct case_result *r);

/* Put the mismatch into words: r->message. */
void harness_describe(const struct harness *s, struct case_result *r);

/* Compute `reps` problems of the case laid out, with the values of runs first_run and on, and check
 * them: failures, runs and the first mismatch go to *r. More than one only without a device. */
void harness_try(struct harness *s, struct driver_process *unit, const struct test_case *c,
                 uint64_t first_run, unsigned reps, uint64_t poison, struct case_result *r,
                 struct timing *t, struct outcome *o);

/* Make trouble with the yardstick the grader's own. */
void harness_yard_failed(struct outcome *o);

#endif
