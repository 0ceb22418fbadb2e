/*
 * kernel_assignment.h - the assignment for a kernel file: that which names it, beside the file or
 * in the directory above. If there is none, one is made up, with the usual cases.
 */
#ifndef CMD_KERNEL_ASSIGNMENT_H
#define CMD_KERNEL_ASSIGNMENT_H

#include <stdbool.h>

#include "base/err.h"

struct kernel_assignment {
    char *path;    /* of the assignment */
    char *made_up; /* temporary directory in which it lies; NULL: it is the instructor's */
};

/* file: an assignment, or a kernel file; what stands for the latter is said on stderr. Call
 * kernel_assignment_end() in both cases. */
int kernel_assignment_find(const char *file, struct kernel_assignment *k, struct err *e);
void kernel_assignment_end(struct kernel_assignment *k);

#endif
