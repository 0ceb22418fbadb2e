/* launch.h - how many workers compute one result. */
#ifndef KERNEL_LAUNCH_H
#define KERNEL_LAUNCH_H

/* `ranks` processes with `threads` threads each. Both are at least 1. */
struct launch {
    int ranks;
    int threads;
};

#endif
