/*
 * source_watch.h - notice when a source file of a submission changes, by inotify.
 */
#ifndef CMD_SOURCE_WATCH_H
#define CMD_SOURCE_WATCH_H

#include "base/err.h"

/* Watch a directory from now on. Returns a descriptor that the caller closes, or -1. */
int source_watch_open(const char *dir, struct err *e);

enum watch_end {
    WATCH_STOPPED, /* the user wants to stop (execute/stop.h) */
    WATCH_CHANGED,
    WATCH_GONE, /* the directory was removed or renamed; there may be another one of its name */
};

/* Wait until a source or header has changed since the last call, and nothing changes for a moment.
 */
enum watch_end source_watch_wait(int watch, const char *dir);

/* Wait until the directory can be watched. Returns a descriptor as source_watch_open(), or -1: the
 * user wants to stop, or the machine failed. */
int source_watch_reopen(const char *dir, struct err *e);

#endif
