/*
 * symbols.h - what a built library asks of others and brings along: functions it calls that the
 * assignment does not allow, functions of the runtime that it replaces, code that runs when it is
 * loaded.
 *
 * A fence with a friendly sign, not a wall: who enters the kernel or finds a function by other
 * means is not seen here. The drivers' filter and sandbox are the wall.
 */
#ifndef BUILD_SYMBOLS_H
#define BUILD_SYMBOLS_H

#include <stdbool.h>

#include "base/err.h"
#include "model/assignment.h"
#include "model/verdict.h"

struct symbol_rules {
    const struct calls *calls;
    bool constructors; /* code at load time is welcome: C++, offloading compilers */
};

/* *verdict: pass, forbidden, or build-error where something is called that exists nowhere. *why:
 * one line for the student, with file and line where one of the sources in `dir` names the symbol;
 * NULL when there is nothing to object to. The caller frees it. -1 when the file cannot be read;
 * what is in the file is never an error, however odd. */
int symbols_check(const char *library, const struct symbol_rules *r, const char *dir,
                  enum verdict *verdict, char **why, struct err *e);

/* Whether the library exports the function. For libraries that will not be loaded, where the loader
 * would say so. -1 when the file cannot be read. */
int symbols_defined(const char *library, const char *function, bool *yes, struct err *e);

#endif
