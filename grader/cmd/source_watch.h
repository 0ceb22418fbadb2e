/*
 * source_watch.h - notice when a source file of a submission changes, by inotify.
 */
#ifndef CMD_SOURCE_WATCH_H
#define CMD_SOURCE_WATCH_H

#include "base/err.h"

/* Watch a directory from now on. Returns a descriptor that the caller closes, or -1. */
int source_watch_open(const char *dir, struct err *e);

/* Wait until a source or header has changed since the last call, and nothing changes for a moment.
 * 1: changed; 0: the user wants to stop (execute/stop.h); -1: the directory is gone. */
int source_watch_wait(int watch, const char *dir, struct err *e);

#endif
