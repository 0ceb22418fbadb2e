/* unit_answers.h - the right answers of one case of a kernel in a file, for a program that shows
 * the case without the grader. */
#ifndef PROCTOR_UNIT_ANSWERS_H
#define PROCTOR_UNIT_ANSWERS_H

#include "proctor/node_context.h"

/* Write, for each output, NAME.expected.bin and NAME.tolerance.bin (doubles: how far each element
 * may be off) to `dir`. run: number of the values. 0, or -1. */
int unit_answers_write(struct node_context *n, const struct tier *t, int case_index, uint64_t run,
                       const char *dir, struct err *e);

#endif
