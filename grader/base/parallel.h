/*
 * parallel.h - the same work for many independent things, on all cores that this process may use.
 */
#ifndef BASE_PARALLEL_H
#define BASE_PARALLEL_H

#include <stddef.h>

/* Call work(arg, i) once for each i below n, in any order, and return when all calls have returned.
 * A call may write only what belongs to its i, and must not depend on other calls. Signals are
 * handled by the caller's thread. Where no thread can be started, that thread does all the work. */
void parallel_for(size_t n, void (*work)(void *arg, size_t i), void *arg);

#endif
