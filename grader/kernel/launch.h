/* launch.h - how many workers compute one result. */
#ifndef KERNEL_LAUNCH_H
#define KERNEL_LAUNCH_H

#include <stdbool.h>

/* `ranks` processes with `threads` threads each, the same number of processes on each of `nodes`
 * nodes. All are at least 1. */
struct launch {
    int ranks;
    int threads;
    int nodes;
};

enum { LAUNCH_TEXT = 40 };

/* A launch on one node. */
static inline struct launch launch_here(int ranks, int threads)
{
    return (struct launch){ranks, threads, 1};
}

/* Of all nodes together. */
static inline int launch_workers(struct launch l)
{
    return l.ranks * l.threads;
}

static inline int launch_nodes(struct launch l)
{
    return l.nodes > 1 ? l.nodes : 1;
}

/* What of it is on one node. */
static inline struct launch launch_on_node(struct launch l)
{
    return (struct launch){l.nodes > 1 ? l.ranks / l.nodes : l.ranks, l.threads, 1};
}

static inline bool launch_equal(struct launch a, struct launch b)
{
    return a.ranks == b.ranks && a.threads == b.threads && launch_nodes(a) == launch_nodes(b);
}

/* "RANKSxTHREADS", on several nodes "RANKSxTHREADS@NODES": "4x2", "32x2@2". Written without the
 * node if there is one. False for anything else. */
bool launch_parse(const char *text, struct launch *out);
void launch_format(struct launch l, char out[LAUNCH_TEXT]);

#endif
