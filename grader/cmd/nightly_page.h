/*
 * nightly_page.h - the history as a page: a line for each node, and what changed.
 */
#ifndef CMD_NIGHTLY_PAGE_H
#define CMD_NIGHTLY_PAGE_H

#include "history/news.h"

int nightly_page_write(const struct news *n, const char *path, struct err *e);

#endif
