/* launch.h - how many workers compute one result. */
#ifndef KERNEL_LAUNCH_H
#define KERNEL_LAUNCH_H

#include <stdbool.h>

/* `ranks` processes with `threads` threads each, the same number of processes on each of `nodes`
 * nodes. These are at least 1. */
struct launch {
    int ranks;
    int threads;
    int nodes;
    int gpus; /* of each process, of a tier that says so. 0: it has one at most */
};

enum { LAUNCH_TEXT = 56 };

/* A launch on one node. */
static inline struct launch launch_here(int ranks, int threads)
{
    return (struct launch){ranks, threads, 1, 0};
}

/* GPUs of all processes together, if each has one at least. */
static inline int launch_gpus(struct launch l)
{
    return l.ranks * (l.gpus > 1 ? l.gpus : 1);
}

/* Of all nodes together. A process with several GPUs has a worker for each. */
static inline int launch_workers(struct launch l)
{
    return launch_gpus(l) * l.threads;
}

static inline int launch_nodes(struct launch l)
{
    return l.nodes > 1 ? l.nodes : 1;
}

/* What of it is on one node. */
static inline struct launch launch_on_node(struct launch l)
{
    return (struct launch){l.nodes > 1 ? l.ranks / l.nodes : l.ranks, l.threads, 1, l.gpus};
}

static inline bool launch_equal(struct launch a, struct launch b)
{
    return a.ranks == b.ranks && a.threads == b.threads && launch_nodes(a) == launch_nodes(b) &&
           launch_gpus(a) == launch_gpus(b);
}

/* "RANKSxTHREADS", on several nodes "RANKSxTHREADS@NODES", with several GPUs of each process
 * "RANKSxTHREADS+Ngpus": "4x2", "32x2@2", "1x1+4gpus". What there is one of is not written. False
 * for anything else. */
bool launch_parse(const char *text, struct launch *out);
void launch_format(struct launch l, char out[LAUNCH_TEXT]);

#endif
