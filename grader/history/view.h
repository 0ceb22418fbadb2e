/*
 * view.h - the history as the rules of changes see it: one value for each node, time and day.
 */
#ifndef HISTORY_VIEW_H
#define HISTORY_VIEW_H

#include <stdint.h>

#include "history/store.h"
#include "model/panel.h"

/* The days of a view, at most: with a run every night, more than a year. */
enum { VIEW_DAYS_MOST = 400 };

struct view_time {
    char *assignment, *tier, *launch, *size; /* launch: "" of a yardstick */
    char *processor; /* nodes with different processors do not share a time */
};

struct view {
    struct panel
        panel;   /* its rows: by node, then time; its nights: days on which anything was run */
    char **node; /* of panel.nodes */
    struct view_time *time; /* of panel.whats */
    char **day;             /* of panel.nights: "2026-11-24" (UTC) */
    /* Private. */
    struct panel_row *row;
    double *value;
};

/* Read the last VIEW_DAYS_MOST days. A day with several runs has the median of their times. */
int view_load(struct store *s, struct view *v, struct err *e);
void view_free(struct view *v);

/* The number of a day, to count days between two of them. */
int64_t view_day_number(const char *day);

/* A name for people: "simd, 2 threads, 1024". The caller frees it. */
char *view_time_name(const struct view *v, size_t what);
/* Days in the row that have a time. */
size_t view_days(const struct view *v, size_t row);

/* What else changed on a node between the day before `since` (a day of the view) and that day, or
 * between two days that have times: "kernel 6.1.0-18 -> 6.1.0-20; compiler ...". "" when nothing is
 * known to have changed. The caller frees it. NULL with e. node NULL: on any node. */
char *view_what_changed(struct store *s, const struct view *v, const char *node, size_t since,
                        struct err *e);

#endif
