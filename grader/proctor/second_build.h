/*
 * second_build.h - the sources of a unit, built once more to look for mistakes that the first build
 * hides: without optimisation, with local variables that hold a pattern instead of zero, and with
 * sanitizers where this machine has them. For a GPU, the same build with the numbers of lines.
 *
 * The words that are added belong to gcc and clang, and to nvcc. Where the tier's compiler does not
 * take them, there is no second build, and nothing else follows.
 */
#ifndef PROCTOR_SECOND_BUILD_H
#define PROCTOR_SECOND_BUILD_H

#include <stdint.h>

#include "proctor/unit_job.h"

struct second_build {
    char *library;        /* absolute path; NULL: there is none */
    char *preload;        /* libraries that must be loaded before all others; NULL: none */
    char *what;           /* how it was built, or why there is none; one line */
    unsigned attempt;     /* of those in second_build.c */
    unsigned protections; /* that the compiler had */
};

/* Whom it is for. TOGETHER: several workers share memory or exchange messages. AddressSanitizer is
 * left out for them: it makes threads wait for each other. DEVICE: compute-sanitizer. */
enum second_workers { SECOND_ALONE = 1, SECOND_TOGETHER = 2, SECOND_DEVICE = 4 };

/* Build in `dir`, which need not exist. deadline: of the unit, CLOCK_MONOTONIC ns. Free the result
 * with second_build_free(). */
void second_build_make(const struct unit_job *job, const char *dir, enum second_workers workers,
                       uint64_t deadline, struct second_build *b);
/* The same build, but local variables hold zeros until they are set. */
void second_build_with_zeros(const struct unit_job *job, const char *dir,
                             const struct second_build *like, uint64_t deadline,
                             struct second_build *b);
void second_build_free(struct second_build *b);

#endif
