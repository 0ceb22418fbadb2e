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

/* For how long other programs made a thread in `after` wait, ns, at least: the largest increase of
 * its waiting that the unit's own threads cannot have caused; new threads count from 0. cpu_ns: the
 * processor time of all threads of the unit meanwhile, other processes of it included. A thread may
 * have waited for the others as long as they ran. If that counted, a unit could have its slow runs
 * rejected by letting its threads fight for a core.
 * Of each thread, no more counts than it ran: the threads that runtimes keep for themselves wait
 * long and do little, and this costs the program nothing. */
uint64_t wait_for_others(const struct wait_times *before, const struct wait_times *after,
                         uint64_t cpu_ns);
/* The largest increase of running of any thread in `after`; new threads count from 0. */
uint64_t ran_increase(const struct wait_times *before, const struct wait_times *after);
/* The increase of waiting of all threads in `after` together; new threads count from 0. */
uint64_t wait_increase_sum(const struct wait_times *before, const struct wait_times *after);

#endif
