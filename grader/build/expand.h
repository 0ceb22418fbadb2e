/*
 * expand.h - a source as the compiler reads it: with its macros expanded.
 *
 * pragmas.h reads sources before macros. A name that a macro makes is not there:
 *
 *     #define JOIN(a, b) a##b
 *     __attribute__((JOIN(opti, mize)("O3"))) ...
 */
#ifndef BUILD_EXPAND_H
#define BUILD_EXPAND_H

#include "base/err.h"
#include "base/proc.h"

/* The words of a compile command's first step that let the compiler expand macros, and print the
 * result: the same, without `-o FILE`, and with -E. Free it with proc_argv_free(). */
char **expand_command(char *const *argv);

/* What the output of -E says of the files in the directory `dir`: NULL, or one line with the first
 * place at which they change the compiler's options. The caller frees it. Lines of other files do
 * not count, since those of the compiler change options, too. Pure. */
char *expand_find_change(const char *text, size_t n, const char *dir);

/* Run the command and look. *found: as above; NULL if the command cannot expand macros. base: how
 * the compile command is run. -1: it could not be started. */
int expand_and_look(const struct proc_spec *base, char *const *argv, const char *dir, char **found,
                    struct err *e);

#endif
