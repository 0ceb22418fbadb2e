/*
 * rank_fault.h - where a rank other than 0 crashed. It has no connection to the proctor, so it
 * prints this. The student's code may print the same: it is for people only.
 */
#ifndef SUPERVISE_RANK_FAULT_H
#define SUPERVISE_RANK_FAULT_H

#include <stdbool.h>

#include "abi/protocol.h"
#include "base/strbuf.h"

/* Remove such lines from the output. *f is what the first one says; false: there is none. Pure. */
bool rank_fault_take(struct strbuf *output, struct pg_fault *f);

/* Remove what Open MPI's launcher says of a rank that crashed, between lines of dashes: readers
 * want the last lines of the program. Pure. */
void rank_fault_forget_launcher(struct strbuf *output);

#endif
