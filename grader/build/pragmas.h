/*
 * pragmas.h - where a source changes the compiler's options, which the tier's command fixes: with
 * #pragma GCC optimize, target and push_options, _Pragma() of these, and with the attributes
 * optimize, target and target_clones.
 *
 * Read is the text, before macros and conditions: what a macro hides is found where the macro is
 * defined, and what #if leaves out is found as well. A fence, as the one around functions:
 * names that are put together from pieces (##) get past it.
 */
#ifndef BUILD_PRAGMAS_H
#define BUILD_PRAGMAS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

/* What a text contains, one after the other. */
struct pragma_hit {
    unsigned line;       /* from 1 */
    const char *change;  /* "#pragma GCC optimize", "__attribute__((target))"; NULL: none */
    const char *include; /* then: a file that is included, "" when a macro names it */
};

/* Call f for each hit. Comments, strings and joined lines are taken as C and C++ take them; where
 * the language decides (raw strings, trigraphs), each reading counts. Pure. */
void pragmas_scan(const char *text, size_t n, void (*f)(const struct pragma_hit *h, void *arg),
                  void *arg);

/* Scan a source and those headers in its directory that it includes. *found becomes NULL, or the
 * places in one line, "naive.c:12: #pragma GCC optimize changes the compiler's options of this tier
 * (also naive.c:15)"; the caller frees it. */
int pragmas_find(const char *dir, const char *source, size_t max, char **found, struct err *e);

#endif
