/*
 * similar.h - which name may be meant by a word with a typing error, or by an abbreviation.
 */
#ifndef BASE_SIMILAR_H
#define BASE_SIMILAR_H

#include <stdbool.h>

/* Can the name be meant, and is it more similar to the typed word than all names so far? *least:
 * UINT_MAX at first; the smallest number of letters so far that must be inserted, removed or
 * changed. */
bool similar_more(const char *typed, const char *name, unsigned *least);

/* For a message: " (did you mean openmp?)", of names with commas between them; "" if none is
 * similar. */
enum { SIMILAR_HINT = 64 };
void similar_hint(const char *typed, const char *names, char hint[SIMILAR_HINT]);

#endif
