/*
 * names.h - a set of names with a number for each, so that lists as long as a university's are not
 * searched from the start for every entry.
 */
#ifndef BASE_NAMES_H
#define BASE_NAMES_H

#include <stddef.h>

struct names {
    const char **name; /* not copied: they must outlive the set */
    size_t *number;
    size_t capacity; /* a power of two, or 0 */
    size_t count;
};

#define NAMES_INIT                                                                                 \
    {                                                                                              \
        NULL, NULL, 0, 0                                                                           \
    }

enum { NAMES_NONE = -1 };

/* Add a name. Returns its number if it was there already (it keeps that), else NAMES_NONE. */
long long names_add(struct names *n, const char *name, size_t number);
long long names_find(const struct names *n, const char *name);
void names_free(struct names *n);

#endif
