/*
 * harness.h - the test harness of a node: the matrices, the yardstick, and how problems are given
 * to a driver process.
 *
 * How a kernel is timed. Short kernels get many problems with new values in one run, so that the
 * clock can measure it well. The yardstick is a fast kernel that we trust. It computes the problems
 * on the first of the same cores before each run of the unit. Its time tells whether something
 * disturbs the node. model/estimate.h has the rules.
 *
 * The yardstick also gives the right answers. Every output of every run is compared with them,
 * element by element.
 *
 * On a device with its own memory, the masked inputs are copied to the device before the clock
 * starts, and the request that computes also copies the output back. Then the same problems are
 * computed once more with both copies inside the time. The yardstick is then a kernel on the same
 * device. What is not the kernel's is subtracted, and what shows in the copy back is added
 * (run_overhead.h).
 */
#ifndef MEASURE_HARNESS_H
#define MEASURE_HARNESS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "kernel/kernel.h"
#include "measure/answers.h"
#include "measure/checks.h"
#include "measure/known_times.h"
#include "measure/maker.h"
#include "model/assignment.h"
#include "model/cases.h"
#include "supervise/arena.h"
#include "supervise/cores.h"
#include "supervise/driver_process.h"
#include "supervise/driver_run.h"
#include "supervise/outcome.h"

struct harness {
    const struct assignment *assignment; /* borrowed */
    const struct kernel *kernel;
    struct arena arena;
    struct cores cores; /* of the allocation */
    struct driver_process yardstick;
    struct driver_spec yardstick_spec; /* its strings are borrowed */
    struct answers answers;            /* of a kernel in a file; without a process for others */
    struct checks checks;              /* of a kernel in a file that has a check */
    struct maker maker;                /* of a kernel in a file that makes values in C */
    unsigned layout;                   /* number of the last one in the arena */
    struct driver_process blank;       /* without a library; run_overhead.h starts and ends it */
    void *expected;                    /* room for one output of the largest shape */
    struct known_times known;          /* the yardstick's best times */
    int64_t case_ms; /* limit of one call of a case; the assignment's, unless it is lowered */
    int stepped; /* harness_steps.h: the input with the number of steps, plus 1; 0: all at once */
    bool guards_visible; /* on this node the guard pages around C can be seen in /proc */
    char *numbers;       /* small_problem.h: of the first wrong result of this unit; NULL */
};

/* Make the matrices. There is room for every case, except those that are timed beside other
 * yardsticks only, or that the kernel cannot take; `name` is the tier of this yardstick, and
 * `yardstick` says how its driver is started, without its library. The assignment and the strings
 * of the specification must live as long as the harness. After a failure there is nothing to
 * destroy.
 */
int harness_create(struct harness *h, const struct assignment *a, const struct case_list *cases,
                   const char *name, const struct driver_spec *yardstick, struct err *e);
void harness_destroy(struct harness *h);

/* Start the yardstick, once. The path of the library must live as long as the harness. */
int harness_start_yardstick(struct harness *h, const char *library, struct err *e);

/* Start the trusted source, of a kernel in a file, once. The path of the library must live as long
 * as the harness. */
int harness_start_answers(struct harness *h, const char *program, const char *library,
                          struct err *e);
/* The same for the check of the exercise, which the kernel must have. */
int harness_start_checks(struct harness *h, const char *program, const char *library,
                         struct err *e);

int harness_start_maker(struct harness *h, const char *program, const char *library, struct err *e);

/* Can all these cases be checked without the yardstick? It must run where it tells of a device, and
 * where it gives the right answers because those of the host are slow. */
bool harness_checks_alone(const struct harness *h, const struct case_list *cases);

/* Lay out `reps` problems of a shape in the arena, for a driver that computes there.
 * 0, or -1 with OUTCOME_NOT_STARTED in *o. */
int harness_lay_out(struct harness *h, struct shape shape, unsigned reps, enum computes computes,
                    struct outcome *o);

/* Generate inputs as arena_generate() does, and those that the exercise makes in C. 0, or -1 with
 * *o. */
int harness_generate(struct harness *h, const struct test_case *c, uint64_t first_run,
                     unsigned reps, struct outcome *o);

/* Is this a process of the yardstick, or of the driver without a library? */
bool harness_owns(const struct harness *h, pid_t pid);

/* What an output holds before a run. Nobody can predict it, and it has no zero byte. */
uint64_t harness_poison(const struct harness *h);

/* The inputs of problem `rep`. */
void harness_inputs(const struct harness *h, unsigned rep, const void *in[KERNEL_MAX_INPUTS]);

/* The right answer to problem `rep`, computed by trusted code of the grader on the host. It stays
 * valid until the next call. Not for kernels in files. */
const void *harness_host_answer(struct harness *h, struct shape shape, unsigned rep);

/* The same for all `reps` problems of a kernel in a file: see answers_make(). */
int harness_trusted_answers(struct harness *h, const struct test_case *c, unsigned reps,
                            struct outcome *o);
/* Compare two results (kernel_compare()), and ask the check of the exercise if there is one.
 * Returns the number of wrong elements; after *o, nobody knows. */
uint64_t harness_compare(struct harness *h, const struct comparison *c, struct mismatch *m,
                         struct accuracy *a, struct outcome *o);
/* See answers_repeat(). */
int harness_repeat_answers(struct harness *h, const struct test_case *c, unsigned reps,
                           struct outcome *o);

/* See answers_typical_spread(); 0 for kernels that need none. */
int harness_typical_spread(struct harness *h, const struct test_case *c,
                           double spread[KERNEL_MAX_OUTPUTS], struct outcome *o);

/* One execution of the problems in the arena. */
struct execution {
    unsigned reps;         /* problems */
    int64_t limit_ms;      /* for computing all of them */
    int64_t copy_limit_ms; /* for the copies to and from a device */
};

/* Is the mask taken off before the clock starts, for so many problems? Then what belongs together
 * is kept back until the clock starts. A kernel with one input has nothing that could be kept back,
 * and few problems can be guessed; but they are long, and the mask takes little of their time. */
bool harness_unmasks_before(const struct harness *h, unsigned reps);

/* Execute the problems on a driver: copy the masked inputs to the device if there is one, take the
 * mask off, compute, copy the output back. *t is the time of the computing. */
void harness_execute(struct harness *h, struct driver_process *d, const struct execution *x,
                     struct timing *t, struct outcome *o);

/* The limit for `reps` calls together, ms. One of them may take the limit of a call, the others
 * twice what a call is known to take, because a node may be disturbed. So a call that hangs is not
 * waited for `reps` times. Pure. */
int64_t harness_batch_limit(int64_t call_limit_ms, unsigned reps, double call_seconds);

/* A driver of the harness failed: this is the grader's trouble, whatever the driver reported.
 * Changes the kind and the text of *o. */
void harness_own_driver_failed(struct outcome *o);

/* Can a driver of this kind use its device if it has loaded no library? If `matrices`, it also has
 * to get the current case onto the device. Such a driver runs trusted code only, and it asks the
 * device of the unit also where the yardstick has none. OUTCOME_DRIVER_FAILED: there is no room. */
void harness_try_device(struct harness *h, const struct driver_spec *like, bool matrices,
                        struct outcome *o);

#endif
