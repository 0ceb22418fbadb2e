/*
 * sanitizer_report.h - what AddressSanitizer, UndefinedBehaviorSanitizer and compute-sanitizer
 * print about a student's program. The program can print anything, too: what is read here helps a
 * student, and nothing is decided by it. Pure.
 */
#ifndef BUILD_SANITIZER_REPORT_H
#define BUILD_SANITIZER_REPORT_H

#include <stdbool.h>
#include <stdint.h>

enum { SANITIZER_WORD = 64, SANITIZER_PLACE = 80, SANITIZER_TEXT = 200 };

/* An access to memory that AddressSanitizer has stopped. */
struct memory_error {
    char what[SANITIZER_TEXT];      /* "writes past the end of row (512 bytes)" */
    char declared[SANITIZER_PLACE]; /* "naive.c:4", of the variable; "" when unknown */
    uint64_t place;     /* of the instruction, in the library; UINT64_MAX: it is in none of it */
    uint64_t allocated; /* of the call that allocated the block; UINT64_MAX: unknown */
    bool harmless; /* perhaps: a read beside a matrix, as of a whole vector. It is no mistake of a
                      program whose results are right */
};

/* Read a report that was printed with symbolize=0. library: path of the student's. False when there
 * is none, or when it is of a kind that does not always mean a mistake of the program. */
bool sanitizer_memory_error(const char *output, const char *library, struct memory_error *m);

/* An index that is outside of an array, as UndefinedBehaviorSanitizer reports it. */
struct index_error {
    char place[SANITIZER_PLACE]; /* "naive.c:12" */
    char what[SANITIZER_TEXT];   /* "index 130 is outside of int32_t [128]" */
};

/* The next such report from *at on, which moves behind it. False when there is none. */
bool sanitizer_index_error(const char **at, struct index_error *x);

/* The same for a result that a signed type cannot hold: "2147483647 + 4 is too large for int". Such
 * results wrap in every program that we know: beside a right result this is no mistake. */
bool sanitizer_overflow(const char **at, struct index_error *x);

/* What compute-sanitizer has found in a kernel for a GPU. */
struct device_error {
    char place[SANITIZER_PLACE]; /* "cuda.cu:7" */
    char what[SANITIZER_TEXT];   /* "writes outside of the memory that was allocated on the GPU" */
};

/* The next one of a report from *at on, which moves behind it. Each thread of a kernel may have its
 * own. False when there is none. Warnings, errors of calls of CUDA, and kernels that were built
 * without lines (the driver's) are left out. */
bool sanitizer_device_error(const char **at, struct device_error *x);

#endif
