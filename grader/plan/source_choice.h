/*
 * source_choice.h - which file of a submission is a tier's source, or why there is none.
 */
#ifndef PLAN_SOURCE_CHOICE_H
#define PLAN_SOURCE_CHOICE_H

#include <stdbool.h>

#include "base/err.h"
#include "model/assignment.h"
#include "model/verdict.h"

struct choice {
    const char *source; /* file name, or NULL */
    const char *unused; /* another of the tier's names that is there as well, or NULL */
    bool preset;        /* the verdict is known without running anything */
    enum verdict verdict;
    char *message;  /* with preset; the caller frees it */
    bool near_miss; /* the message names a file that is probably meant */
};

/* Take the first of the tier's file names that exists; `reference`: of the reference, or what
 * students were given, which need not have the directory of the assignment. If it cannot be used, a
 * link say, the verdict is preset; later names are not tried. -1: the machine or its file server
 * fails (e), so nobody knows what is there, and *c is empty. */
int choose_source(const char *dir, const struct assignment *a, const struct tier *t, bool reference,
                  struct choice *c, struct err *e);

/* "they must lie directly in it", or an example of a path. The caller frees it. */
char *choice_place(const struct assignment *a);

/* "; Naive.c is there: upper and lower case matter", if a file in the directory is nearly a source
 * of some tier that students hand in; else "". The caller frees it. */
char *choice_near_miss(const char *dir, const struct assignment *a);
/* "naive.c, naive.cpp, simd.c": the names that students may hand in. The caller frees it. */
char *choice_names(const struct assignment *a);

/* Preset a verdict; c takes over `message`. */
void choice_settle(struct choice *c, enum verdict v, char *message);

#endif
