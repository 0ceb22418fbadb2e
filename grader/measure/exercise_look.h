/* exercise_look.h - one case of an exercise, as the parts of exercise_check.c look at it. */
#ifndef MEASURE_EXERCISE_LOOK_H
#define MEASURE_EXERCISE_LOOK_H

#include "measure/exercise.h"

/* Of one check: cases that were looked at, those that failed, and what the first of them shows. */
struct exercise_tally {
    unsigned cases, failed;
    char *first; /* owned */
};

/* A program that computes nothing: how many cases it passes. */
enum { NOTHING_MOST = 40, NOTHING_KINDS = KERNEL_FILE_KINDS };
struct nothing_program {
    char *what; /* "writes 0"; owned */
    unsigned passes, by_kind[NOTHING_KINDS];
};
struct exercise_nothing {
    struct nothing_program program[NOTHING_MOST];
    int programs;
    unsigned cases, of_kind[NOTHING_KINDS];
};

/* How often another value of an input changed the result. */
struct exercise_input {
    unsigned looked;
    unsigned all, all_changed; /* all elements were other ones */
    unsigned one, one_changed; /* one element was */
};

/* What the check of the exercise was asked. */
struct exercise_asked {
    unsigned changed, refused; /* results that somebody changed; those that it refused */
    unsigned failed;           /* it crashed, or ran too long */
    char *how;                 /* the first time; owned */
    bool broken;               /* it does not accept the right answer */
};

struct exercise_look {
    struct exercise *x;
    const struct test_case *test_case;
    const void *in[KERNEL_MAX_INPUTS];
    void *expected;  /* result of the trusted source, owned */
    size_t elements; /* of it */
    bool exact;
    double *spread; /* owned; NULL where results are exact */
    uint64_t poison;
    bool sanitizers_failed; /* or they can tell nothing */
    double units;           /* largest error of the second source */
    struct exercise_tally tally[EXERCISE_CHECKS];
    unsigned made,
        made_again; /* cases with values of a C function; those that another key changes */
    struct exercise_asked asked;
    unsigned mistaken[KERNEL_FILE_MISTAKES]; /* cases in which the mistake gives a wrong result */
    struct exercise_nothing nothing;
    struct exercise_input input[KERNEL_MAX_INPUTS];
};

/* The case has failed in a check: add what it shows, which follows the case's name. */
void exercise_look_failed(struct exercise_look *l, enum exercise_check c, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* Is a result as good as the trusted one? `a` may be NULL. */
bool exercise_look_accepts(struct exercise_look *l, const void *got, struct mismatch *m,
                           struct accuracy *a);

struct comparison exercise_look_comparison(const struct exercise_look *l, const void *got);
/* What the check of the exercise says of a result. -1: it fails, so it does not say yes. needed:
 * not only as one of many. */
int exercise_look_ask(struct exercise_look *l, const void *got, bool needed, struct opinion *said);
/* Can nobody say whether a result is right? */
bool exercise_look_is_blind(const struct exercise_look *l);

/* Parts, in a file each. The case is laid out, and its expected result is there. They leave its
 * inputs as they are. */
/* Values that a C function makes; false: it has failed, so there is no case. */
bool exercise_look_values(struct exercise_look *l);
void exercise_report_values(struct exercise_look *l);
void exercise_look_timed(struct exercise *x);
void exercise_look_digits(struct exercise *x);
void exercise_look_memory(struct exercise_look *l);
void exercise_look_asked(struct exercise_look *l);
void exercise_report_asked(struct exercise_look *l);
void exercise_look_nothing(struct exercise_look *l);
void exercise_report_nothing(struct exercise_look *l);
void exercise_look_mistakes(struct exercise_look *l);
void exercise_report_mistakes(struct exercise_look *l);
void exercise_look_inputs(struct exercise_look *l);
void exercise_report_inputs(struct exercise_look *l);

#endif
