#include "made.h"

#include <string.h>

/* Rows begin at ascending places: of `even` everywhere, of `crowded` all entries are in one row. */
void made_values(const char *kind, uint64_t key, int n, int m, int32_t *start, int32_t *entry,
                 int64_t *y, int32_t *w)
{
    const int row = (int)(key % (uint64_t)n), crowded = strcmp(kind, "crowded") == 0;
    for (int i = 0; i <= n; i++)
        start[i] = crowded ? (i > row ? m : 0) : (int)((int64_t)m * i / n);
    for (int k = 0; k < m; k++)
        entry[k] = (int)(next_random(&key) % 100) - 50;
    for (int i = 0; i < n; i++)
        y[i] = i;
    *w = 1 + (int)(next_random(&key) % 7);
}
