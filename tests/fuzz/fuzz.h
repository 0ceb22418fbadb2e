/*
 * fuzz.h - what every fuzzing harness needs.
 *
 * A harness is one file fuzz_NAME.c with one LLVMFuzzerTestOneInput(). It hands the input to one
 * parser and then asserts what every caller relies on: an error has a text, and what was accepted
 * keeps its promises. Seeds and past findings lie in corpus/NAME/.
 */
#ifndef TESTS_FUZZ_H
#define TESTS_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/err.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* NDEBUG or not, and with the reason on stderr. */
#define FUZZ_ASSERT(what)                                                                          \
    do {                                                                                           \
        if (!(what)) {                                                                             \
            fprintf(stderr, "%s:%d: does not hold: %s\n", __FILE__, __LINE__, #what);              \
            abort();                                                                               \
        }                                                                                          \
    } while (0)

/* Path of a file that holds the input; valid until the next call. Nothing is left on disk. */
const char *fuzz_file(const uint8_t *data, size_t size);
/* A directory in which `name` is a file with the input; removed at exit. */
const char *fuzz_directory(const char *name, const uint8_t *data, size_t size);
/* The input as a string: NUL-terminated, on the heap, so that one byte too many is noticed. */
char *fuzz_string(const uint8_t *data, size_t size);
/* A parser refused: then it must have said whose fault that is, and why. */
void fuzz_refused(int rc, const struct err *e);

#endif
