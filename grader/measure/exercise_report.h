/*
 * exercise_report.h - what `paragrade kernel check` finds out about a kernel in a file: for each
 * check, whether all is well, and a sentence.
 */
#ifndef MEASURE_EXERCISE_REPORT_H
#define MEASURE_EXERCISE_REPORT_H

#include <stddef.h>

/* In the order of the report. */
enum exercise_check {
    EXERCISE_VALUES,   /* the function that makes values makes the same ones from the same key */
    EXERCISE_RUNS,     /* the trusted source computes every case */
    EXERCISE_EXAMPLES, /* it gives the results of the examples */
    EXERCISE_SECOND,   /* the second source agrees with it */
    EXERCISE_MISTAKES, /* sources of mistakes give wrong results */
    EXERCISE_CHECK,    /* the check accepts right results, and refuses others */
    EXERCISE_REPEATS,  /* the same inputs give the same results */
    EXERCISE_WRITES,   /* every element is written, whatever the output held before */
    EXERCISE_MEMORY,   /* sanitizers find nothing, and all memory is set before it is read */
    EXERCISE_EXACT,    /* exact kinds of values are exact */
    EXERCISE_TIMED,    /* timed runs have other results each time */
    EXERCISE_DIGITS,   /* at timed sizes, rounding does not hide that terms are left out */
    EXERCISE_FINITE,   /* results are numbers */
    EXERCISE_NOTHING,  /* a program that computes nothing does not pass */
    EXERCISE_INPUTS,   /* each input matters */
    EXERCISE_CHECKS
};

enum exercise_state { EXERCISE_OK, EXERCISE_NOTE, EXERCISE_WRONG };

const char *exercise_check_name(enum exercise_check c);
const char *exercise_state_name(enum exercise_state s);

struct exercise_row {
    enum exercise_check check;
    enum exercise_state state;
    char *text;
};

/* Starts as zeros. */
struct exercise_report {
    struct exercise_row *row;
    size_t rows;
};

void exercise_report_add(struct exercise_report *r, enum exercise_check c, enum exercise_state s,
                         const char *fmt, ...) __attribute__((format(printf, 4, 5)));
/* By check, in the order of the enumeration; else in the order in which they were added. */
void exercise_report_sort(struct exercise_report *r);
void exercise_report_free(struct exercise_report *r);

#endif
