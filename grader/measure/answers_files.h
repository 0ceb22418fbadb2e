/* answers_files.h - the values and right answers of a problem as files, for programs without the
 * grader. */
#ifndef MEASURE_ANSWERS_FILES_H
#define MEASURE_ANSWERS_FILES_H

#include "measure/harness.h"

/* Write, for each input of a kernel in a file, NAME.bin, and for each output NAME.expected.bin and
 * NAME.tolerance.bin (doubles: how far each element may be off) to `dir`. run: number of the
 * values. 0, or -1. */
int answers_files_write(struct harness *h, const struct test_case *c, uint64_t run, const char *dir,
                        struct err *e);

#endif
