/*
 * harness.h - the test stand of one node: the matrices, the yardstick, and how a case is run on a
 * driver, checked and timed.
 *
 * Theory of measuring. A timed sample is `reps` calls on as many different problems, long enough
 * for the clock; before it the yardstick runs the very same problems on the first of the same
 * cores, and after it those of the next sample. What counts is the ratio of the two, so a node that
 * changes its speed changes both. The yardstick's result is also the right answer: every sample is
 * checked element by element, none is believed. Samples go on until the confidence interval of the
 * median ratio is narrow enough or the budget is spent.
 *
 * The ratio holds only as long as whatever disturbs the node slows both alike, and it does not: a
 * neighbour on the other hardware thread of a core costs one kernel a tenth and another one half.
 * So the yardstick is a sentinel as well: samples count beside which it ran close to the pace of
 * the node's record (summary_mark()); a sample's own time is no reason to leave it out. Samples go
 * on, as long as there is budget or patience, until there are enough of them. If there never are,
 * all count, and the time is marked as unsure.
 *
 * On a device with memory of its own the inputs are copied there before the clock starts, masked,
 * and the output is copied back by the request that computes; then the same once more with both
 * copies inside the time. The yardstick is then a kernel on the same device. The driver's remark on
 * how long the device was computing must agree with the proctor's clock, and the copy back must
 * take as long as the yardstick's.
 */
#ifndef MEASURE_HARNESS_H
#define MEASURE_HARNESS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "kernel/kernel.h"
#include "measure/expected_time.h"
#include "model/cases.h"
#include "model/result.h"
#include "supervise/arena.h"
#include "supervise/cores.h"
#include "supervise/driver_process.h"
#include "supervise/outcome.h"

/* A case went wrong with values that no run is known to have. */
#define HARNESS_RUN_UNKNOWN UINT64_MAX

struct harness {
    const struct assignment *assignment;
    const struct kernel *kernel;
    struct arena arena;
    bool one_place;         /* leave the matrices where they are from sample to sample */
    int64_t wait_budget_ms; /* that may still be spent beyond budgets, waiting for a calm node */
    struct cores cores;
    struct driver_process yard;
    struct driver_spec yard_spec;
    double yard_copied;  /* seconds of its last copy from the device; 0 on the host */
    double yard_unmask;  /* seconds of taking the mask off for it */
    void *expected;      /* one output, of the largest shape */
    uint64_t failed_run; /* numbers the values with which the last case that failed did so first */
    struct expected_time *yard_expected;
    size_t yard_expected_count;
    bool guards_show; /* the guards around C have been seen from outside on this node */
};

/* Make the matrices and start the yardstick from its library. There is room for every case but
 * those that are timed beside other yardsticks only; `name` is this one's. */
int harness_create(struct harness *s, const struct assignment *a, const struct case_list *cases,
                   const char *name, const struct driver_spec *yardstick, struct err *e);
void harness_destroy(struct harness *s);

/* How to replace a session's driver by one that was just started, on the same cores; other than
 * OUTCOME_OK: there is none now. */
struct restart {
    void (*start)(void *with, struct outcome *o);
    void *with;
};

struct beside;

/* One of several that are timed in turns. */
struct timed_unit {
    struct driver_process *driver;
    struct case_result *r;       /* as for harness_time() */
    struct outcome o;            /* other than OK: the driver is gone, and the entrant out */
    const struct restart *again; /* NULL: all samples are this driver's */
    struct beside *seen;         /* harness_time_in_turns() only, like the rest */
    int process;                 /* this driver, counted from 0 */
    unsigned first;              /* sample of it */
    bool over;
};

/* As harness_time() for several sessions: each round, all of them compute the same values, between
 * two runs of the yardstick. What happens to one stays with that one; -1 with *o only for trouble
 * with the yardstick. */
int harness_time_in_turns(struct harness *s, const struct performance *p, struct timed_unit *e,
                          size_t n, const struct test_case *c, double hint, int64_t limit_ms,
                          struct outcome *o);

/* Time the yardstick alone on a performance case, and see that it computes what trusted code on
 * the host does. Fills *seconds of one problem. 0, or -1. */
int harness_time_yardstick(struct harness *s, const struct test_case *c, struct interval *seconds,
                           struct err *e);

/* What the node's record says that the yardstick takes for one problem of a shape. */
void harness_expect(struct harness *s, struct shape shape, double seconds);

/* Run a case `runs` times with different values and check each result. Fills verdict, message,
 * mismatch, runs and failed_runs of *r. first_run numbers the values. *seconds (may be NULL)
 * receives the time of the last run. 0; -1 when the driver is gone or must be replaced (*o says
 * why). */
int harness_check(struct harness *s, struct driver_process *unit, const struct test_case *c,
                  uint64_t first_run, int runs, struct case_result *r, double *seconds,
                  struct outcome *o);

/* Further runs of a case, many back to back while the threads are warm: for so long, or (most > 0)
 * until r->runs are `most`. Fills as harness_check(), whose first_run and seconds it wants; returns
 * likewise. */
int harness_press(struct harness *s, struct driver_process *unit, const struct test_case *c,
                  uint64_t first_run, int64_t ms, int most, double seconds, struct case_result *r,
                  struct outcome *o);

/* Run a case that was wrong under several workers again a few times, with the values of that run:
 * is it a race? Then r->race is set, and the message says so in place of the pattern. alone_failed:
 * the case is wrong with a single worker, too. Returns as harness_check(). */
int harness_confirm(struct harness *s, struct driver_process *unit, const struct test_case *c,
                    bool alone_failed, struct case_result *r, struct outcome *o);

/* Time a case that passed harness_check(); fills samples, seconds, relative, precise of *r - and
 * verdict and mismatch, should a sample turn out wrong. `p` says how precisely, `hint` is a
 * first guess of the seconds of one call. `again`: take the samples from several drivers, one after
 * the other; NULL: from this one. Returns as harness_check(); trouble with the yardstick is
 * OUTCOME_NOT_STARTED. */
int harness_time(struct harness *s, const struct performance *p, struct driver_process *unit,
                 const struct restart *again, const struct test_case *c, double hint,
                 int64_t limit_ms, struct case_result *r, struct outcome *o);

/* Does the yardstick, and with it its device, still answer? */
bool harness_answers(struct harness *s);

/* Why a driver of the yardstick's that starts now does not get the case laid out last onto the
 * device; the caller frees it. NULL: it does, or the yardstick has no device to ask. */
char *harness_refused(struct harness *s);

/* One execution under the device's profiler, with the copies; fills r->profile where there is one.
 * Returns as harness_check(). */
int harness_profile(struct harness *s, struct driver_process *unit, const struct test_case *c,
                    struct unit_result *r, struct outcome *o);

/* Median of go to done of an empty call to the yardstick, in microseconds. */
double harness_overhead_us(struct harness *s);

#endif
