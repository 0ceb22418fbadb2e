/*
 * forecast.h - how long a run will likely take: as long as such units took before.
 */
#ifndef EXECUTE_FORECAST_H
#define EXECUTE_FORECAST_H

#include <stdio.h>

#include "rundir/run.h"

struct forecast {
    char *from;      /* the run whose times these are; NULL: there is none */
    double *seconds; /* of a unit, by tier: the mean of an earlier run; NAN: unknown */
};

/* Look for the newest run of the same assignment, profile and kind in a directory of runs that says
 * how long each tier of `r` takes. To be freed with forecast_free(). */
void forecast_make(const struct run *r, const char *reports, struct forecast *f);
void forecast_free(struct forecast *f);

/* Seconds until the end of a run, if units go on to take `each` seconds, the mean so far, and as
 * many run at a time as now. Negative: not known. */
double forecast_left(double each, size_t running, size_t waiting);

/* "41 s", "12 min", "3.5 h"; less than a tenth wrong. */
enum { FORECAST_TEXT = 24 };
void forecast_text(double seconds, char out[FORECAST_TEXT]);

/* Print for this machine how long the units of a run will take, `jobs` at a time. */
void forecast_print_local(const struct run *r, const struct forecast *f, int jobs, FILE *out);

#endif
