#include "kernel/extents.h"

#include <limits.h>

static bool is_empty(const int *dim, int dims)
{
    bool empty = false;
    for (int i = 0; i < dims; i++)
        empty = empty || dim[i] == 0;
    return empty;
}

int extents_check(const struct extents *x, const char *name, const int *dim, int dims,
                  struct err *e)
{
    int64_t elements = 1, n = 1;
    for (int i = 0; i < x->count; i++) {
        if (!expression_integer(&x->of[i], dim, &n) || n < 0 || (n == 0 && !is_empty(dim, dims)))
            return err_input(e, "%s would have no elements: '%s' is not positive", name,
                             x->text[i]);
        if (n > INT_MAX || elements * n > INT_MAX) /* below 2^62 */
            return err_input(e, "%s would have more than 2^31 - 1 elements", name);
        elements *= n;
    }
    return 0;
}

size_t extents_one(const struct extents *x, int i, const int *dim)
{
    int64_t n = 0;
    return expression_integer(&x->of[i], dim, &n) && n > 0 ? (size_t)n : 0;
}

size_t extents_rows(const struct extents *x, const int *dim)
{
    const int last = x->count > 1 ? x->count - 1 : x->count;
    size_t rows = 1;
    for (int i = 0; i < last; i++)
        rows *= extents_one(x, i, dim);
    return rows;
}

size_t extents_cols(const struct extents *x, const int *dim)
{
    return x->count > 1 ? extents_one(x, x->count - 1, dim) : 1;
}
