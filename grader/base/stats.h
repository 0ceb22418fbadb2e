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
    double median;
    double low; /* bounds of the two-sided confidence interval of the median */
    double high;
    size_t n;
};

/* An interval with a larger half width, as a share, says little: it is shown with one digit
 * ("~40"), and where it would be used again, it is measured again. */
#define INTERVAL_ROUGH 0.25

double stats_median(const double *x, size_t n);
double stats_quantile(const double *x, size_t n, double q); /* q in [0, 1], linear interpolation */

/* Percentile bootstrap (B. Efron, R. Tibshirani: An Introduction to the Bootstrap, 1993, ch. 13)
 * of the median at the given level (0.95). The same seed gives the same interval. For n < 3 the
 * interval is the range of the data. */
struct interval stats_bootstrap_median(const double *x, size_t n, double level, uint64_t seed);

/* Of Student's distribution: how many standard errors the two-sided 95 % interval reaches, for
 * degrees of freedom from one. */
double stats_student(size_t freedom);

/* An interval times a positive factor. */
struct interval stats_scaled(struct interval i, double factor);

/* The quotient and the product of two positive quantities that were measured independently. Of the
 * logarithms, the half widths of the intervals are added as squares. */
struct interval stats_over(struct interval a, struct interval b);
struct interval stats_times(struct interval a, struct interval b);

/* Half the relative width of an interval, (high - low) / (2 |median|); infinite when unknown. */
double stats_relative_half_width(struct interval i);
/* Is it wider than INTERVAL_ROUGH, or unknown? */
bool stats_is_rough(struct interval i);

#endif
