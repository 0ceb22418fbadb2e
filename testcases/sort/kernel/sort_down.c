/* A usual mistake: descending order. */
#include "sort_i32.h"

#include <stdlib.h>

static int order(const void *a, const void *b)
{
    const int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x < y) - (x > y);
}

void sort_i32(int n, int32_t *a)
{
    qsort(a, (size_t)n, sizeof *a, order);
}
