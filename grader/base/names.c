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
    struct names larger = {.capacity = n->capacity ? 2 * n->capacity : 64, .count = n->count};
    larger.name = xcalloc(larger.capacity, sizeof *larger.name);
    larger.number = xcalloc(larger.capacity, sizeof *larger.number);
    for (size_t i = 0; i < n->capacity; i++) {
        if (!n->name[i])
            continue;
        size_t at = place(&larger, n->name[i]);
        larger.name[at] = n->name[i];
        larger.number[at] = n->number[i];
    }
    names_free(n);
    *n = larger;
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
