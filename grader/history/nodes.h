/*
 * nodes.h - each node as it is today: how fast beside nodes like it, how steady, how its last night
 * was, and how long until its times are judged.
 */
#ifndef HISTORY_NODES_H
#define HISTORY_NODES_H

#include <stdbool.h>
#include <stdint.h>

#include "history/news.h"

/* Of the times that were measured in the node's last night: their medians. Shares: 0.1 is 10 %
 * slower. */
struct node_now {
    size_t node;
    double level;      /* beside the other nodes with this processor; NAN: there are none */
    double noise;      /* NAN: too few nights */
    double last;       /* the last night, beside the node's own level */
    size_t nights;     /* since its last change */
    size_t day;        /* of the last night (view.day) */
    int64_t days_ago;  /* before the last day of the history */
    int64_t days_left; /* until the first verdict; 0: its times are judged */
    const struct news_item *change; /* the last one, if it is recent; NULL: none */
};

/* One for each node, the slowest first; the caller frees *out. */
size_t nodes_now(const struct news *n, struct node_now **out);

/* A row for each node; on a page, the change stands beside the name, where it is seen without
 * scrolling. The same as JSON: a list. */
struct term_table;
struct term_table *nodes_table(const struct news *n, bool page);
struct json_t;
struct json_t *nodes_json(const struct news *n);

/* A row for each change, newest first. */
struct term_table *changes_table(const struct news *n);

#endif
