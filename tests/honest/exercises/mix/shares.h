/* shares.h - the rows of a rank. */
#ifndef SHARES_H
#define SHARES_H
#include "mix.h"
#include <stdlib.h>
#include <string.h>

static inline int first_of(int n, int rank, int ranks)
{
    return (int)((int64_t)n * rank / ranks);
}

/* counts and places, for the functions that take both: 2 * ranks numbers, which the caller frees.
 */
static inline int *shares(int n, int ranks, int each)
{
    int *all = malloc(2 * (size_t)ranks * sizeof *all);
    for (int r = 0; r < ranks; r++) {
        all[r] = each * (first_of(n, r + 1, ranks) - first_of(n, r, ranks));
        all[ranks + r] = each * first_of(n, r, ranks);
    }
    return all;
}
#endif
