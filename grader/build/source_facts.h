/*
 * source_facts.h - what sources and the headers that they include say to the compiler beyond the
 * program itself: changed options (pragmas.h), files of other directories.
 */
#ifndef BUILD_SOURCE_FACTS_H
#define BUILD_SOURCE_FACTS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

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
 * and what they say does not count. device: nor does assembler, which is an honest way to use
 * tensor cores. -1 when a file cannot be read. */
int source_facts_find(const char *dir, char *const *sources, size_t max, bool device,
                      struct source_facts *f, struct err *e);

#endif
