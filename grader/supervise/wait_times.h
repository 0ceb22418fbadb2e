/*
 * wait_times.h - how long the threads of a process ran and waited between two observations. Pure.
 */
#ifndef SUPERVISE_WAIT_TIMES_H
#define SUPERVISE_WAIT_TIMES_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Times of each thread since its start. procfs_wait() fills it in. */
struct wait_times {
    pid_t tid[256];
    uint64_t ns[256];  /* runnable but not running */
    uint64_t ran[256]; /* running, ns */
    size_t count;
};

/* The largest increase of running of any thread in `after`; new threads count from 0. */
uint64_t ran_increase(const struct wait_times *before, const struct wait_times *after);
/* The increase of waiting of all threads in `after` together; new threads count from 0. */
uint64_t wait_increase_sum(const struct wait_times *before, const struct wait_times *after);

#endif
