/*
 * panel.h - the times of all nodes, tiers and sizes, night by night: what became slower or faster,
 * and where. Pure.
 *
 * Three kinds of series are tested by the rules of changes.h: each time of each node, without what
 * the nodes share; what all times of one node share; what all nodes share in one time. Changes of
 * one node in the same direction at about the same time are one event.
 */
#ifndef MODEL_PANEL_H
#define MODEL_PANEL_H

#include <stddef.h>

#include "model/changes.h"

/* One time of one node. Nodes with different processors have different times (`what`), because they
 * are no peers. */
struct panel_row {
    size_t node, what;      /* numbers from 0 */
    const double *log_time; /* one for each night; NAN: not measured */
};

struct panel {
    const struct panel_row *row;
    size_t rows, nodes, whats, nights;
};

struct panel_rules {
    double false_alarms; /* in 30 nights, of the whole panel */
    double least;        /* share: smaller changes are passed over */
};

#define PANEL_ALL_NODES ((size_t)-1)

struct panel_member {
    size_t what;
    struct change change;
};

/* A change of one node, or of all nodes. */
struct panel_event {
    size_t node;                 /* PANEL_ALL_NODES: of all nodes with that time */
    struct change change;        /* of all its times together, or the median one of the members */
    struct panel_member *member; /* the times that changed by themselves; can be none */
    size_t members;
};

/* Number of series that are tested. */
size_t panel_series(const struct panel *p);

/* All events, in the order of the nights on which they were seen. The caller frees them. */
size_t panel_events(const struct panel *p, const struct panel_rules *rules,
                    struct panel_event **out);
void panel_events_free(struct panel_event *event, size_t count);

/* Each row as it is today, without what its node shares with others, in the order of the rows. A
 * row without any night has no nights. The caller frees it. */
struct changes_now *panel_now(const struct panel *p, const struct panel_rules *rules);

#endif
