/* known.h - measured times, rates and sizes: one that is not known is NAN, or was recorded as 0. */
#ifndef BASE_KNOWN_H
#define BASE_KNOWN_H

#include <math.h>
#include <stdbool.h>

static inline bool is_known(double x)
{
    return isfinite(x) && x > 0;
}

static inline double known_or_nan(double x)
{
    return is_known(x) ? x : (double)NAN;
}

#endif
