/* launch.h - starts what the tier needs and calls your function. launch.c is made for your tier. */
#ifndef LAUNCH_H
#define LAUNCH_H

#include "case.h"

/* Returns 1 in the process that has the matrices, 0 in other ranks. */
int launch_begin(int *argc, char ***argv);
/* Call the function once. It has finished on return. In other ranks the matrices are NULL. */
void launch_call(const void *const in[], ELEMENT *out);
void launch_end(void);
#ifdef SPREAD /* several ranks have operands */
void launch_ranks(int *rank, int *ranks);
/* 1 in all ranks if it is 1 in one. */
int launch_any(int failed);
#endif

#endif
