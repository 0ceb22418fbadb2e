/* kernel_check.h - paragrade kernel check: is an exercise right whose kernel is in a file? */
#ifndef CMD_KERNEL_CHECK_H
#define CMD_KERNEL_CHECK_H

#include <stdbool.h>

#include "base/err.h"

/* Let the proctor run the checks, and print what it finds. *right: nothing is wrong. -1 with e. */
int kernel_check(const char *assignment, bool json, bool *right, struct err *e);

#endif
