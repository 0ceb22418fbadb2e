/*
 * answers.h - the right answers of a kernel in a file: its trusted source computes them, in a
 * process of its own, which is confined as students' processes are. It runs after the unit, so the
 * answers do not exist while the unit runs.
 *
 * Where results are rounded, the trusted source computes each problem three times: rounding up,
 * down, and to nearest. The difference of the first two tells how far a careful program may be from
 * the third one.
 */
#ifndef MEASURE_ANSWERS_H
#define MEASURE_ANSWERS_H

#include <stdbool.h>

#include "base/err.h"
#include "model/cases.h"
#include "supervise/arena.h"
#include "supervise/driver_process.h"
#include "supervise/outcome.h"

enum { ANSWERS_SIZES = 32 };

/* Answers to what a mistake leaves of a problem: one less of a dimension, or what `parts` equal
 * parts leave of it. */
struct answers_less {
    int parts; /* 0: the whole problem; 1: one less */
    int dim;
};

struct answers {
    struct driver_process driver;
    struct driver_spec spec; /* its strings are borrowed */
    unsigned layout;         /* number of the layout that the driver has */
    double seconds;          /* the most that one problem has taken */
    double *spread;          /* of each element of all problems; NULL: results are exact */
    size_t room;             /* elements in `spread` */
    struct {
        struct shape shape;
        double spread[KERNEL_MAX_OUTPUTS];
    } known[ANSWERS_SIZES]; /* root mean square spread at sizes that are timed */
    unsigned known_count;
    struct answers_less less; /* from the next layout on */
};

/* What is to be answered: the problems in the arena. */
struct answers_task {
    struct arena *arena;
    const struct test_case *test_case;
    unsigned layout; /* its number: another one after each arena_layout() */
    unsigned reps;
    const struct limits *limits;
};

/* Start the process. The specification says how; it has the library. */
int answers_start(struct answers *a, const struct driver_spec *spec, struct err *e);
void answers_end(struct answers *a);

/* Compute the answers: afterwards they are the arena's yardstick outputs, and a->spread is theirs.
 * 0, or -1 with *o: the trouble is the exercise's. */
int answers_make(struct answers *a, const struct answers_task *t, struct outcome *o);

/* After answers_make(), when a result was wrong: ask again. 0, or -1 with *o: the answers differ,
 * and nobody can be judged by them. Only outputs with one exact answer are compared. */
int answers_repeat(struct answers *a, const struct answers_task *t, struct outcome *o);

/* The spread of problem `rep`, or NULL. */
const double *answers_spread(const struct answers *a, const struct arena *arena, unsigned rep);

/* The root mean square spread of each output of the task's size, 0 if they are exact. It is
 * computed once, from problem 0 of the arena, whose yardstick outputs change then. 0, or -1 with
 * *o. */
int answers_typical_spread(struct answers *a, const struct answers_task *t,
                           double spread[KERNEL_MAX_OUTPUTS], struct outcome *o);

#endif
