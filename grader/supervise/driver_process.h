/*
 * driver_process.h - one driver process (or one mpirun with its ranks), supervised.
 *
 * Theory of operation. The driver runs in a session of its own, under the proctor as subreaper,
 * with its output on a pipe and one socket to the proctor. Whenever the proctor waits for the
 * driver it also reads the pipe, and looks at a few limits: time, private memory, processes,
 * output. Between runs the driver is halted (SIGSTOP to every process, and seen to be stopped), so
 * that nothing is written while C is read and no idle rank spins while the yardstick is timed.
 */
#ifndef SUPERVISE_DRIVER_PROCESS_H
#define SUPERVISE_DRIVER_PROCESS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/err.h"
#include "base/strbuf.h"
#include "model/assignment.h"
#include "model/result.h"
#include "supervise/arena.h"
#include "supervise/outcome.h"
#include "supervise/procfs.h"
#include "supervise/sandbox.h"

struct driver_spec {
    enum launch_kind kind;
    struct launch launch;
    enum pg_memory memory;
    const char *program;  /* program */
    const char *launcher; /* "mpirun ..." with {ranks} and {threads}, or NULL */
    const char *library;  /* of the student, or of the yardstick */
    const char *function; /* of the kernel; the kind adds its suffix */
    const char *scratch;  /* directory: socket, HOME, TMPDIR */
    const char *shm;      /* directory in memory, or NULL */
    const int *cpus;      /* cores to run on; NULL: all of the allocation */
    int cpu_count;
    const struct limits *limits;
    const struct sandbox_policy *sandbox;
};

struct driver_process {
    struct driver_spec spec;
    pid_t pid;    /* what the proctor started; 0: nothing runs */
    pid_t leader; /* the process on the socket, as the kernel says */
    int sock;
    int output_fd;
    struct strbuf output; /* first bytes of what was printed */
    uint64_t output_bytes;
    struct pid_list ranks; /* mpi: all processes under the launcher */
    int core;              /* the first of those it was moved to; -1: wherever there is room */
    int last_core;         /* that of the last of several ranks; -1: there are none, or no room */
    char device[128];      /* as the driver calls it; "" for the host's cores */
    unsigned protections;  /* in force around the driver: a set of enum protection */
    bool halted;
    uint64_t still_ns;      /* when all of its threads stood still */
    uint64_t halted_ns;     /* when its processor time had been read after that */
    uint64_t halted_cpu_ns; /* processor time when it was seen to be stopped */
    const char *unruly;     /* what halting showed that no driver does by itself, or NULL */
    int wait_status;
    bool reaped;
    uint64_t peak_memory;
    uint64_t page_tables;   /* when limits were last looked at */
    uint64_t unit_deadline; /* CLOCK_MONOTONIC ns; 0: none */
    uint64_t sequence;
    uint64_t checked_ns; /* when limits were last looked at */
};

/* Start the driver and load the library - not before everything that spec->sandbox requires is
 * in force: a lack of that is OUTCOME_NOT_STARTED. On anything but OUTCOME_OK the session is ended;
 * `protections` stays. */
void driver_start(struct driver_process *s, const struct driver_spec *spec, uint64_t unit_deadline,
                  struct outcome *o);
/* Kill whatever is left, reap it, free everything. */
void driver_end(struct driver_process *s);
bool driver_alive(const struct driver_process *s);

/* Whether its kernel works on copies in a device's memory. */
bool driver_has_device(const struct driver_process *s);
/* Whether inputs are copied there. */
bool driver_has_mirror(const struct driver_process *s);
/* Whether they are masked on their way: where a mask is taken off as fast as for the yardstick. */
bool driver_masks(const struct driver_process *s);
/* Whether it should, and the runtime found no device: what it takes says nothing. */
bool driver_fell_back(const struct driver_process *s);

/* Send the arena's layout with the descriptors; yard: with the yardstick's output. */
void driver_case(struct driver_process *s, const struct arena *a, bool yard, struct outcome *o);

/* Ask for the device's name and ceilings. */
void driver_describe(struct driver_process *s, struct pg_device *d, struct outcome *o);

struct request {
    unsigned steps;  /* enum pg_step */
    unsigned reps;   /* problems */
    unsigned rounds; /* how often all of them */
    int64_t limit_ms;
    bool go_on;                     /* leave the driver running: the next request follows at once */
    struct pg_key key;              /* with PG_UNMASK */
    struct device_profile *profile; /* with PG_PROFILE: receives the rows */
    struct rank_work *ranks;        /* with PG_RANKS: as many as the launch has, or NULL */
};

struct timing {
    double seconds; /* go to done, by the proctor's clock; to computed, where a copy back follows */
    double copied;  /* computed to done; 0 where there is no copy */
    double unmask;  /* as the driver tells it: to be believed of the yardstick's alone */
    double device;  /* of the computing, by the device's events as the driver tells it; negative:
                       there are none */
    double waited;  /* share of it that the worst thread was runnable but not running */
    double cores;   /* threads running or ready to run, on average over it; NAN: unknown */
    double busiest; /* share of the processor time that one thread had; NAN: unknown */
};

/* Do the steps; unless it is to go on, the driver is halted when it returns with OUTCOME_OK. */
void driver_run(struct driver_process *s, const struct request *q, struct timing *t,
                struct outcome *o);

/* Move the driver to these cores: ranks get as many of them each as they have threads, if there are
 * enough; threads are left to the OpenMP runtime, which binds them when the driver starts. */
void driver_pin(struct driver_process *s, const int *cpus, int count);

#endif
