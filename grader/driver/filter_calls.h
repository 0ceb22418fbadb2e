/* filter_calls.h - which system calls a driver may make: the lists from which filter.c makes its
 * rules. */
#ifndef DRIVER_FILTER_CALLS_H
#define DRIVER_FILTER_CALLS_H

#include <stddef.h>
#include <stdint.h>

/* A call is allowed if these bits of an argument have this value. With the mask FILTER_EXACTLY, all
 * 64 bits count, even if Linux uses only 32 of them. */
#define FILTER_EXACTLY UINT64_MAX

struct allowance {
    int call;
    unsigned argument;
    uint64_t mask, value;
};

struct filter_allowances {
    const struct allowance *item;
    size_t count;
};

struct filter_numbers {
    const int *item;
    size_t count;
};

/* Calls: of every kernel; of the runtime of MPI, and for new connections; of the runtimes of
 * devices. */
extern const struct filter_numbers filter_computing, filter_of_mpi, filter_of_network,
    filter_of_device;
/* Advice about memory; signals that a process may send to itself. */
extern const struct filter_numbers filter_advice, filter_signals;
/* Calls with some arguments: of every kernel, on the host, without MPI, of the runtimes, on a
 * device. */
extern const struct filter_allowances filter_always, filter_on_host, filter_alone,
    filter_of_runtimes, filter_on_device;

#endif
