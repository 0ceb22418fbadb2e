#include "model/left_over.h"

/* Sizes of either kind that are enough to exclude chance. */
enum { SIZES_LEAST = 4 };

static const int widths[] = {2, 4, 8, 16, 32, 64, 128, 3, 5, 6, 7, 12, 24, 48};
enum { WIDTHS = sizeof widths / sizeof widths[0] };

static bool fits(const struct tried_size *tried, size_t n, int width)
{
    for (size_t i = 0; i < n; i++)
        if ((tried[i].size % width != 0) != tried[i].failed)
            return false;
    return true;
}

static size_t different(const struct tried_size *tried, size_t n, bool failed)
{
    size_t found = 0;
    for (size_t i = 0; i < n; i++) {
        bool again = tried[i].failed != failed;
        for (size_t k = 0; k < i && !again; k++)
            again = tried[k].failed == failed && tried[k].size == tried[i].size;
        found += !again;
    }
    return found;
}

int left_over_width(const struct tried_size *tried, size_t n, int said)
{
    bool explained = true; /* no size failed that is a multiple of what was said */
    if (fits(tried, n, said))
        return said;
    for (size_t i = 0; i < WIDTHS && different(tried, n, false); i++)
        if (fits(tried, n, widths[i]))
            return widths[i];
    for (size_t i = 0; i < n; i++)
        explained = explained && (!tried[i].failed || tried[i].size % said != 0);
    return explained ? said : 0;
}

int left_over_exact(const struct tried_size *tried, size_t n, int workers)
{
    if (different(tried, n, true) < SIZES_LEAST || different(tried, n, false) < SIZES_LEAST)
        return 0;
    if (workers > 1 && fits(tried, n, workers))
        return workers;
    for (size_t i = 0; i < WIDTHS; i++)
        if (fits(tried, n, widths[i]))
            return widths[i];
    return 0;
}
