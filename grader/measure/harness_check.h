/*
 * harness_check.h - cases are run on a driver process, and every element of the results is checked.
 */
#ifndef MEASURE_HARNESS_CHECK_H
#define MEASURE_HARNESS_CHECK_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include "measure/harness.h"
#include "model/result.h"

/* A run whose values cannot be made again. */
#define RUN_UNKNOWN UINT64_MAX

/* What the runs of one case under one launch have shown so far. Each step adds to it. */
struct finding {
    enum verdict verdict;
    char message[sizeof((struct case_result *)0)->message]; /* one line for people */
    struct mismatch mismatch;                               /* of the first failure */
    int runs;                                               /* that were checked */
    int failed_runs;                                        /* of these */
    uint64_t failed_run;      /* number of the values of the first failure, or RUN_UNKNOWN */
    enum cause cause;         /* CAUSE_RACE: the same values gave different results */
    struct accuracy accuracy; /* the largest of all runs whose results are rounded, or NAN */
    double seconds;           /* of the last run */
};
#define FINDING_INIT                                                                               \
    ((struct finding){.failed_run = RUN_UNKNOWN, .accuracy = {(double)NAN, (double)NAN}})

/* Copy a finding to where it is recorded. */
void finding_store(const struct finding *f, struct case_result *r);

/* Put the mismatch, or its cause where one is known, into words: f->message. */
void finding_describe(struct finding *f);
/* The same for what was recorded. A message that says what killed the process has the cause before
 * it. */
void finding_describe_case(struct case_result *r);

/* How an output is judged. */
struct judgement {
    const struct test_case *test_case;
    struct launch launch; /* explains patterns of wrong elements */
    uint64_t poison;      /* that the output held before */
    const double *spread; /* of the right answer, and at least: as in struct comparison */
    const double *least_spread;
};

/* Compare the output of problem `rep`, on every rank that has it, with the right answer. The first
 * mismatch and the largest errors go to *f. *o: OUTCOME_OK, and remains so unless the exercise
 * fails. */
void harness_judge(struct harness *h, const struct judgement *j, unsigned rep, const void *expected,
                   struct finding *f, struct outcome *o);
/* The output was right in the end, but not when it should have been. */
enum late { LATE_AFTER_DONE, LATE_IN_STREAM };
void harness_judge_late(const struct harness *h, enum late late, struct finding *f);
/* Check the bytes around the outputs of `reps` problems. */
void harness_judge_surround(const struct harness *h, uint64_t poison, unsigned reps,
                            struct finding *f);

/* Problems of the case in the arena that are computed by one request. */
struct batch {
    struct driver_process *driver;
    const struct test_case *test_case;
    uint64_t first_run; /* number of the values of the first problem; the next ones follow */
    unsigned reps;      /* problems; 1 on a device */
    uint64_t poison;
};

/* Compute a batch and check the results. Adds to *f, whose `seconds` must be known for several
 * problems; *t is the time of the whole batch. */
void harness_run_batch(struct harness *h, const struct batch *b, struct finding *f,
                       struct timing *t, struct outcome *o);

/* A replay ends after so many failures: then their share is known well enough. */
enum { FAILURES_SHOWN = 10 };

struct check_task {
    struct driver_process *driver;
    const struct test_case *test_case;
    uint64_t first_run; /* number of the values of the first run; the next ones follow */
    int runs;
    int failures; /* the last run is the one that makes it so many; 0: all runs */
};

/* Run a case several times with different values and check each result. Adds to *f. 0, or -1 with
 * *o: the driver is lost and must be replaced. */
int harness_check(struct harness *h, const struct check_task *task, struct finding *f,
                  struct outcome *o);

#endif
