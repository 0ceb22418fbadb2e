/*
 * pragmas.h - find places where a source changes the compiler's options, which the tier's command
 * should determine: #pragma GCC optimize, target and push_options, _Pragma() of these, and the
 * attributes optimize, target, target_clones, target_version, and clang's for several processors.
 *
 * The text is read before macros and conditions. So what a macro contains is found where the macro
 * is defined, and what #if leaves out is found as well. expand.h finds what macros make.
 * Like the check of functions in symbols.h, this is no protection.
 */
#ifndef BUILD_PRAGMAS_H
#define BUILD_PRAGMAS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

/* One thing that was found in a text. */
struct pragma_hit {
    unsigned line;       /* from 1 */
    const char *change;  /* "#pragma GCC optimize", "__attribute__((target))"; NULL: none */
    const char *include; /* an included file; "" when a macro names it; NULL: none */
    bool asks;           /* it is not included: __has_include() asks whether it exists */
};

/* Call f for each hit. Where C and C++ read a text differently (raw strings, trigraphs), every
 * reading is tried. Pure. */
void pragmas_scan(const char *text, size_t n, void (*f)(const struct pragma_hit *h, void *arg),
                  void *arg);

/* What sources and the headers in their directory that they include say. */
struct source_facts {
    /* NULL, or one line with the places at which they change the compiler's options: "naive.c:12:
     * #pragma GCC optimize changes the compiler's options of this tier (also naive.c:15)". Owned.
     */
    char *change;
    /* NULL, or the first file outside of the directory that they include or ask for: "naive.c:3
     * includes ../bob/naive.c, which is not handed in". Owned. */
    char *outside;
};

/* Scan sources (NULL-terminated, relative to dir) of at most `max` bytes; adapters count as read,
 * and what they say does not count. -1 when a file cannot be read. */
int pragmas_find(const char *dir, char *const *sources, size_t max, struct source_facts *f,
                 struct err *e);

#endif
