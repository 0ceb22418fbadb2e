#include "cmd/source_watch.h"

#include <errno.h>
#include <poll.h>
#include <stdbool.h>
#include <string.h>
#include <sys/inotify.h>
#include <unistd.h>

#include "base/fsio.h"
#include "base/strbuf.h"
#include "base/tree.h"
#include "execute/stop.h"
#include "model/source_name.h"
#include "model/unit_sources.h"

/* STILL_MS: an editor writes a file in several steps. TURN_MS: so often, a request to stop that
 * came right before poll() is noticed. */
enum { STILL_MS = 200, TURN_MS = 500 };

/* The kernel counts the watches of a descriptor from 1. The first one is that of the submission's
 * directory; those below it may go away. */
enum { FIRST_WATCH = 1 };

/* IN_CREATE: a new directory must be watched, too. */
#define CHANGES (IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE | IN_CREATE)
#define GONE (IN_DELETE_SELF | IN_MOVE_SELF | IN_UNMOUNT | IN_IGNORED)

/* The directories below that have files now. One that cannot be watched is left out. */
static void watch_below(int watch, const char *dir)
{
    OWNED_TEXTS char **names = NULL;
    size_t n;
    if (tree_list(dir, SUBMISSION_FILES_MOST, &names, &n, NULL) != 0)
        return;
    for (size_t i = 0; i < n; i++) {
        char *slash = strrchr(names[i], '/');
        if (!slash)
            continue;
        *slash = '\0';
        OWNED char *path = xasprintf("%s/%s", dir, names[i]);
        inotify_add_watch(watch, path, CHANGES | IN_ONLYDIR | IN_DONT_FOLLOW);
    }
}

int source_watch_open(const char *dir, struct err *e)
{
    int watch = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    if (watch < 0)
        return err_system(e, "--watch: inotify: %s", strerror(errno));
    if (inotify_add_watch(watch, dir, CHANGES | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR) >= 0) {
        watch_below(watch, dir);
        return watch;
    }
    err_input(e, "--watch: %s: %s", dir, strerror(errno));
    close(watch);
    return -1;
}

/* .c .cu, and what C++ and headers are called. */
static bool is_source(const char *name)
{
    const char *dot = strrchr(name, '.');
    return dot && name[0] != '.' &&
           (strcmp(dot, ".c") == 0 || strcmp(dot, ".cu") == 0 || source_is_cxx(name) ||
            source_is_header(name));
}

/* Read the events that are there. */
static void take_events(int watch, bool *changed, bool *gone)
{
    char buffer[4096] __attribute__((aligned(__alignof__(struct inotify_event))));
    ssize_t n;
    while ((n = read(watch, buffer, sizeof buffer)) > 0) {
        const struct inotify_event *event;
        for (const char *at = buffer; at < buffer + n; at += sizeof *event + event->len) {
            event = (const void *)at;
            *gone = *gone || (event->wd == FIRST_WATCH && event->mask & GONE);
            *changed =
                *changed || event->mask & IN_Q_OVERFLOW || (event->len && is_source(event->name));
        }
    }
}

enum watch_end source_watch_wait(int watch, const char *dir)
{
    struct pollfd p = {.fd = watch, .events = POLLIN};
    bool changed = false, gone = false;
    while (!execute_stop) {
        const int ready = poll(&p, 1, changed ? STILL_MS : TURN_MS);
        if (ready == 0 && changed)
            return WATCH_CHANGED;
        if (ready > 0) {
            take_events(watch, &changed, &gone);
            watch_below(watch, dir); /* there is one watch for each directory */
        }
        if (gone)
            return WATCH_GONE;
    }
    return WATCH_STOPPED;
}

int source_watch_reopen(const char *dir, struct err *e)
{
    while (!execute_stop) {
        const int watch = source_watch_open(dir, e);
        if (watch >= 0 || e->kind != ERR_INPUT)
            return watch;
        poll(NULL, 0, TURN_MS);
    }
    return -1;
}
