/*
 * symbols.h - what a built library imports and defines: functions it calls that the assignment does
 * not allow, functions of the runtime that it replaces, code that runs when it is loaded.
 *
 * These checks find mistakes and simple tricks, and their messages help students. They are no
 * protection: code that finds a function by other means, or makes system calls itself, is not seen.
 * The system call filter and the sandbox of the drivers protect.
 */
#ifndef BUILD_SYMBOLS_H
#define BUILD_SYMBOLS_H

#include <stdbool.h>

#include "base/err.h"
#include "model/assignment.h"
#include "model/verdict.h"

struct symbol_rules {
    const struct calls *calls;
    bool constructors; /* code at load time is allowed: C++, offloading compilers */
};

/* Check a library. *verdict: pass, forbidden, or build-error when it calls a function that exists
 * nowhere; the most severe one. *why: one line for the student with all functions that are
 * refused, with file and line where a source in `dir` names them; NULL with pass. The caller frees
 * it. -1 only when the file cannot be read, whatever it contains. */
int symbols_check(const char *library, const struct symbol_rules *r, const char *dir,
                  enum verdict *verdict, char **why, struct err *e);

/* *why: NULL when the library exports the function, otherwise one line for the student, with some
 * of the functions that it does export. The caller frees it. -1 when the file cannot be read. */
int symbols_missing(const char *library, const char *function, char **why, struct err *e);

#endif
