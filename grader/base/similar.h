/*
 * similar.h - which name may be meant by a word with a typing error.
 */
#ifndef BASE_SIMILAR_H
#define BASE_SIMILAR_H

#include <stdbool.h>

/* Can the name be meant, and is it more similar to the typed word than all names so far? *least:
 * UINT_MAX at first; the smallest number of letters so far that must be inserted, removed or
 * changed. */
bool similar_more(const char *typed, const char *name, unsigned *least);

#endif
