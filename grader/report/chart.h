/*
 * chart.h - a chart as data, and how it is drawn on a canvas.
 */
#ifndef REPORT_CHART_H
#define REPORT_CHART_H

#include <stdbool.h>
#include <stddef.h>

#include "report/canvas.h"

/* One bar, from 0 on. */
struct chart_bar {
    char *name, *value; /* before it and behind it */
    double length;
    double ring; /* where something is marked to compare with; NAN: nothing is */
    bool best;
};

/* Points in the order of x, and perhaps a line through them. */
struct chart_series {
    char *name;
    const char *label; /* beside its first point; NULL: none. Not owned */
    double *x, *y;
    size_t count;
    bool line, dashed, marks;
    int colour;
};

struct chart {
    char *title, *note; /* above it and below it; note: NULL or how to read it */
    /* Bars, or else series on logarithmic axes: */
    struct chart_bar *bar;
    size_t bars;
    struct chart_series *series;
    size_t series_count;
    const char *x_label, *y_label;
    double base; /* of the labels of the axes: 2 or 10 */
};

void chart_free(struct chart *c);
void chart_add_bar(struct chart *c, struct chart_bar b); /* takes the texts */
/* A series without points; it takes the name. Valid until the next one is added. */
struct chart_series *chart_add_series(struct chart *c, char *name, int colour);
void chart_add_point(struct chart_series *s, double x, double y);

/* How many rows a chart has. */
int chart_rows(const struct chart *c);
/* How many columns it needs: these, or more where names are long. */
int chart_columns(const struct chart *c, int columns);
void chart_draw(const struct chart *c, struct canvas *on);

#endif
