#include "base/similar.h"

#include <string.h>

enum { LONGEST = 40 };

static unsigned least_of(unsigned a, unsigned b, unsigned c)
{
    unsigned m = a < b ? a : b;
    return m < c ? m : c;
}

/* Edit distance: how many letters must be inserted, removed or changed to turn a into b. */
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
            row[k] = least_of(above + 1, row[k - 1] + 1, corner + (*a != b[k - 1]));
            corner = above;
        }
    }
    return row[n];
}

bool similar_more(const char *typed, const char *name, unsigned *least)
{
    const unsigned d = distance(typed, name);
    if (d > (strlen(typed) + 2) / 3 || d >= *least)
        return false;
    *least = d;
    return true;
}
