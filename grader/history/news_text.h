/*
 * news_text.h - the news for people (a short mail), for programs (JSON), and for Prometheus (a
 * textfile).
 */
#ifndef HISTORY_NEWS_TEXT_H
#define HISTORY_NEWS_TEXT_H

#include <stdio.h>

#include "history/news.h"

/* The alarms; with `all`, every change in the history, faster ones too. Nothing if there are none.
 */
void news_print(const struct news *n, bool all, FILE *f);
/* One line: how much there is, and that all is well or not. */
void news_print_summary(const struct news *n, FILE *f);

/* Both as a JSON document. failures: lines about what could not be measured; can be empty. */
int news_print_json(const struct news *n, bool all, const char *failures, FILE *f, struct err *e);

/* Replace the textfile. */
int news_write_metrics(const struct news *n, const char *path, struct err *e);

#endif
