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

#include <stdbool.h>
#include <stddef.h>

/* The words of a compile command's first step that let the compiler expand macros, and print the
 * result: the same, without `-o FILE`, and with -E. Of the words that name `sources` (NULL-
 * terminated), only those of the adapter stay, or only the others. Free it with proc_argv_free().
 */
char **expand_command(char *const *argv, char *const *sources, bool adapter);

/* Said where a change could be hidden in more text than is read. */
#define EXPAND_TOO_LONG                                                                            \
    "what macros and headers make of it is too long to be searched for a change of the "           \
    "compiler's options"

/* What the output of -E says of the files in the directory `dir`: NULL, or one line with the first
 * place at which they change the compiler's options. The caller frees it. Lines of other files do
 * not count, since those of the compiler change options, too. adapter: nor do those of the source
 * itself, which is the instructor's. device: as in source_facts.h. Pure. */
char *expand_find_change(const char *text, size_t n, const char *dir, bool adapter, bool device);

#endif
