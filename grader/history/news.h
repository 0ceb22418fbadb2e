/*
 * news.h - what the history says about the nodes today: what became slower, since when, what else
 * changed then, and what was reported before.
 */
#ifndef HISTORY_NEWS_H
#define HISTORY_NEWS_H

#include <stdbool.h>
#include <stdio.h>

#include "history/view.h"

struct news_item {
    const struct panel_event *event; /* of the news */
    char *changed;                   /* view_what_changed() */
    bool reported;                   /* by an earlier call of news_mark() */
    bool recent;                     /* seen in the last NEWS_DAYS days of the history */
};

/* A change that was seen earlier is no news, for example in a history that was put together from
 * old runs.
 */
enum { NEWS_DAYS = 31 };

struct news {
    struct view view;
    struct panel_rules rules;
    struct panel_event *event;
    struct news_item *item; /* one for each event, in the order in which they were seen */
    size_t count;
};

int news_load(struct store *s, const struct panel_rules *rules, struct news *n, struct err *e);
void news_free(struct news *n);

/* Slower, recent, and not reported yet. */
bool news_is_alarm(const struct news_item *i);
size_t news_alarms(const struct news *n);
/* Remember that all alarms were reported. */
int news_mark(struct store *s, const struct news *n, struct err *e);

#endif
