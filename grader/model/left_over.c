#include "model/left_over.h"

static bool fits(const struct tried_size *tried, size_t n, int width)
{
    for (size_t i = 0; i < n; i++)
        if ((tried[i].size % width != 0) != tried[i].failed)
            return false;
    return true;
}

int left_over_width(const struct tried_size *tried, size_t n, int said)
{
    static const int widths[] = {2, 4, 8, 16, 32, 64, 128, 3, 5, 6, 7, 12, 24, 48};
    if (fits(tried, n, said))
        return said;
    for (size_t i = 0; i < sizeof widths / sizeof widths[0]; i++)
        if (fits(tried, n, widths[i]))
            return widths[i];
    return said;
}
