/*
 * stats.h - robust statistics over small samples.
 *
 * Every function takes const arrays and leaves them as they are. n = 0 gives NaN.
 */
#ifndef BASE_STATS_H
#define BASE_STATS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct interval {
    double value;
    double low, high; /* bounds of the 95 % interval */
    size_t n;         /* observations; 0: unknown */
    bool unconfirmed; /* it may be better: see model/estimate.h */
};

double stats_median(const double *x, size_t n);
double stats_quantile(const double *x, size_t n, double q); /* q in [0, 1], linear interpolation */

/* Nothing is known. */
struct interval stats_unknown(void);

/* An interval times a positive factor. */
struct interval stats_scaled(struct interval i, double factor);

/* The quotient and the product of two positive quantities that were measured independently. Of the
 * logarithms, the half widths of the intervals are added as squares. */
struct interval stats_over(struct interval a, struct interval b);
struct interval stats_times(struct interval a, struct interval b);

/* Half the relative width of an interval, (high - low) / (2 |value|); infinite when unknown. */
double stats_relative_half_width(struct interval i);
#endif
