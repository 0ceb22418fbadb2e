/* launch.h - how many workers compute one result. */
#ifndef KERNEL_LAUNCH_H
#define KERNEL_LAUNCH_H

#include <stdbool.h>

/* `ranks` processes with `threads` threads each. Both are at least 1. */
struct launch {
    int ranks;
    int threads;
};

static inline int launch_workers(struct launch l)
{
    return l.ranks * l.threads;
}

static inline bool launch_equal(struct launch a, struct launch b)
{
    return a.ranks == b.ranks && a.threads == b.threads;
}

#endif
