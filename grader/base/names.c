/* Open addressing, linear probing, at most half full. */
#include "base/names.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "base/strbuf.h"

/* The place of a name, or the free one where it belongs. */
static size_t place(const struct names *n, const char *name)
{
    size_t at = (size_t)XXH3_64bits(name, strlen(name)) & (n->capacity - 1);
    while (n->name[at] && strcmp(n->name[at], name) != 0)
        at = (at + 1) & (n->capacity - 1);
    return at;
}

static void grow(struct names *n)
{
    const struct names old = *n;
    n->capacity = old.capacity ? 2 * old.capacity : 64;
    n->name = xcalloc(n->capacity, sizeof *n->name);
    n->number = xcalloc(n->capacity, sizeof *n->number);
    for (size_t i = 0; i < old.capacity; i++) {
        if (!old.name[i])
            continue;
        size_t at = place(n, old.name[i]);
        n->name[at] = old.name[i];
        n->number[at] = old.number[i];
    }
    free(old.name);
    free(old.number);
}

long long names_add(struct names *n, const char *name, size_t number)
{
    if (2 * (n->count + 1) > n->capacity)
        grow(n);
    size_t at = place(n, name);
    if (n->name[at])
        return (long long)n->number[at];
    n->name[at] = name;
    n->number[at] = number;
    n->count++;
    return NAMES_NONE;
}

long long names_find(const struct names *n, const char *name)
{
    if (!n->capacity)
        return NAMES_NONE;
    size_t at = place(n, name);
    return n->name[at] ? (long long)n->number[at] : NAMES_NONE;
}

void names_free(struct names *n)
{
    free(n->name);
    free(n->number);
    *n = (struct names)NAMES_INIT;
}
