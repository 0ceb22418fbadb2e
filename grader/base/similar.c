#include "base/similar.h"

#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

enum { LONGEST = 40, SHORTEST = 2 /* letters of an abbreviation */ };

static unsigned least_of(unsigned a, unsigned b, unsigned c)
{
    unsigned m = a < b ? a : b;
    return m < c ? m : c;
}

static bool differ(char a, char b)
{
    return tolower((unsigned char)a) != tolower((unsigned char)b);
}

/* Edit distance: how many letters must be inserted, removed or changed to turn a into b, capital
 * or not. */
static unsigned distance(const char *a, const char *b)
{
    unsigned row[LONGEST + 1];
    size_t n = strlen(b);
    if (n > LONGEST)
        return LONGEST;
    for (unsigned k = 0; k <= n; k++)
        row[k] = k;
    for (unsigned i = 1; *a && i <= LONGEST; i++, a++) {
        unsigned corner = row[0];
        row[0] = i;
        for (size_t k = 1; k <= n; k++) {
            unsigned above = row[k];
            row[k] = least_of(above + 1, row[k - 1] + 1, corner + differ(*a, b[k - 1]));
            corner = above;
        }
    }
    return row[n];
}

/* Do the letters occur in the name, in their order, from its first one on? */
static bool is_abbreviation(const char *typed, const char *name)
{
    const char *at = typed;
    if (strlen(typed) < SHORTEST || *typed != *name)
        return false;
    for (; *at && *name; name++)
        at += *at == *name;
    return !*at;
}

bool similar_more(const char *typed, const char *name, unsigned *least)
{
    const unsigned d = distance(typed, name);
    const bool is = d <= (strlen(typed) + 2) / 3 || (d < LONGEST && is_abbreviation(typed, name));
    if (!is || d >= *least)
        return false;
    *least = d;
    return true;
}

void similar_hint(const char *typed, const char *names, char hint[SIMILAR_HINT])
{
    unsigned least = UINT_MAX;
    hint[0] = '\0';
    for (const char *at = names; *at; at += strspn(at, ", ")) {
        char name[LONGEST + 1];
        const size_t length = strcspn(at, ",");
        if (length <= LONGEST) {
            snprintf(name, sizeof name, "%.*s", (int)length, at);
            if (similar_more(typed, name, &least))
                snprintf(hint, SIMILAR_HINT, " (did you mean %s?)", name);
        }
        at += length;
    }
}
