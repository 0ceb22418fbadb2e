/*
 * exercise.h - a kernel in a file whose sources are tried: the programs, their processes, and room
 * for one problem. Each program runs in a sandboxed process of its own, as in grading.
 */
#ifndef MEASURE_EXERCISE_H
#define MEASURE_EXERCISE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "measure/checks.h"
#include "measure/exercise_report.h"
#include "measure/maker.h"
#include "model/assignment.h"
#include "model/cases.h"
#include "supervise/arena.h"
#include "supervise/driver_process.h"
#include "supervise/scratch.h"
#include "supervise/supervisor.h"

enum exercise_program {
    PROGRAM_TRUSTED,
    PROGRAM_AGAIN,   /* the same in another process */
    PROGRAM_SECOND,  /* the second source */
    PROGRAM_FILLED,  /* the trusted source with sanitizers; fresh memory holds a pattern */
    PROGRAM_ZEROED,  /* the same with zeros */
    PROGRAM_MISTAKE, /* the first mistake; the others follow */
    PROGRAMS = PROGRAM_MISTAKE + KERNEL_FILE_MISTAKES
};

struct exercise_process {
    char *library, *preload, *dir; /* owned; library NULL: there is no such program, or it failed */
    struct driver_spec spec;
    struct driver_process driver;
    unsigned layout; /* that the driver has */
    bool late;       /* it has run too long once: others than the trusted one are not run again */
};

struct exercise {
    const struct assignment *assignment; /* borrowed */
    const struct kernel *kernel;
    const struct kernel_file *file;
    struct case_list cases; /* those for correctness */
    struct test_case
        largest; /* of those for times, if has_largest: its results are rounded a lot */
    bool has_largest;
    struct limits limits;
    struct sandbox_policy sandbox;
    struct supervisor supervisor;
    struct scratch scratch;
    struct arena arena;
    struct shape shape; /* of the problem that is laid out */
    unsigned layout;    /* its number */
    char *driver, *sources;
    struct exercise_process program[PROGRAMS];
    struct checks checks; /* of an exercise that has a check, and whose check builds */
    char *check_library;
    struct maker maker, maker_again; /* of values, in two processes; the same rule */
    char *maker_library;
    struct exercise_report report;
};

/* Build the sources, and make room. What does not build is in the report; then x->program has no
 * library for it. -1 when the machine fails. Call exercise_close() in both cases. */
int exercise_open(struct exercise *x, const struct assignment *a, struct err *e);
void exercise_close(struct exercise *x);

/* Lay out a problem. -1 when it does not fit. */
int exercise_lay_out(struct exercise *x, struct shape s, struct err *e);

/* Generate the inputs of the problem that is laid out. False: their function failed, why is in *o.
 */
bool exercise_generate(struct exercise *x, const struct test_case *c, uint64_t run,
                       struct outcome *o);

/* Let a program compute the problem that is laid out; the output, x->arena's, held `poison` before.
 * 0, or -1 with *o; then call exercise_end(), and the next run starts another process. What it has
 * printed since the problem was laid out is in its driver. */
int exercise_run(struct exercise *x, enum exercise_program p, uint64_t poison,
                 enum pg_rounding rounding, struct outcome *o);

void exercise_end(struct exercise *x, enum exercise_program p);

/* What went wrong, for people. */
const char *exercise_why(const struct exercise *x, const struct outcome *o, char *out, size_t cap);

/* "case 7 (n = 5, whole values)". The caller frees it. */
char *exercise_case_name(const struct exercise *x, const struct test_case *c);
/* Results are blocks of outputs. Their elements count through: of the first output, of the second
 * one, and so on (exercise_outputs.c). */
size_t exercise_elements(const struct exercise *x);
/* The output to which element i belongs. */
int exercise_output_of(const struct exercise *x, size_t i);
/* The first element in which two results differ as numbers; exercise_elements(): none. */
size_t exercise_difference(const struct exercise *x, const void *a, const void *b);
/* "y[3]", its value, and whether that is a number. */
const char *exercise_element(const struct exercise *x, size_t i, char out[ELEMENT_NAME]);
void exercise_text(const struct exercise *x, const void *result, size_t i, char out[ELEMENT_TEXT]);
double exercise_number(const struct exercise *x, const void *result, size_t i);
/* How far the elements of two results are apart. */
double exercise_distance(const struct exercise *x, const void *a, const void *b, size_t i);
bool exercise_is_finite(const struct exercise *x, const void *result, size_t i);
/* Does it hold the poison that was there before? */
bool exercise_holds(const struct exercise *x, const void *result, size_t i, uint64_t poison);

#endif
