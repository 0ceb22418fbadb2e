/*
 * driver_process.h - one supervised driver process, or one mpirun with its ranks.
 *
 * Theory of operation. The driver is a child of the proctor in a process session of its own. The
 * proctor is the subreaper, so no process can leave the proctor's tree. The driver's output goes to
 * a pipe, and a socket connects the driver with the proctor. These files work on a driver process;
 * each uses only files that stand below it:
 *
 *   driver_start    start the driver and load the library; end the driver
 *   driver_run      lay out a case; carry out a request from GO to DONE, with its times
 *   driver_pin      choose the driver's cores
 *   driver_channel  send messages; wait for a message
 *   driver_tree     are its processes below the proctor?
 *   driver_limits   output, memory, processes and time; checked whenever the proctor waits
 *   launch_agent    what mpirun starts on other nodes
 *   driver_halt     halt and resume; charge processor time
 *   driver_spawn    fork, sandbox, exec; kill
 *   other_node      the proctors of other nodes, which hold the ranks there
 *   exec_gate       until when a launcher starts programs
 *
 * Between requests the driver is halted: every process has received SIGSTOP, and every thread was
 * seen to be stopped. So nothing writes to C while the proctor reads it, and no idle rank spins
 * while the yardstick is timed.
 *
 * The rule of the clock: no work off the clock. Whenever the driver can run and inputs are there,
 * the clock runs or the driver's processor time is charged, which means added to the time.
 *
 *   - The clock starts before GO is sent, and GO is sent before SIGCONT. Student threads that were
 *     busy when they were halted run again from SIGCONT on, so the clock must run before it.
 *   - DONE does not end the driver's work. On the host, the clock runs until just before the halt.
 *     On a device, it stops when DONE arrives. Processor time that the driver uses from then until
 *     all of its threads are stopped is charged.
 *   - Processor time between a halt and the next GO is charged to the next request.
 *
 * Over several nodes, only rank 0 has inputs and output, and it is on the head node. Ranks
 * elsewhere hold nothing new until it runs, so they are resumed before the clock starts and halted
 * after it has stopped: no time contains the way to them. On one node each rank may have operands
 * (arena_parts.h): all ranks are halted while these change, and run again after the clock has
 * started.
 *
 * A charge is at most the time that has passed: work off the clock cannot save more than that.
 */
#ifndef SUPERVISE_DRIVER_PROCESS_H
#define SUPERVISE_DRIVER_PROCESS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "abi/protocol.h"
#include "base/strbuf.h"
#include "model/assignment.h"
#include "model/cause.h"
#include "supervise/other_node.h"
#include "supervise/outcome.h"
#include "supervise/own_files.h"
#include "supervise/procfs.h"
#include "supervise/sandbox.h"
#include "supervise/supervisor.h"

enum { DRIVER_DEVICE = 128 };

/* What a driver does for a build that looks for mistakes: fresh memory holds a pattern, or zeros,
 * and sanitizers report. */
enum looking { LOOKING_NOT, LOOKING_FILLED, LOOKING_ZEROED };

/* Whose work begins late, with late-streams.so. */
enum late_streams { LATE_NONE, LATE_GIVEN, LATE_OTHERS };

/* What to start. All pointers must stay valid as long as the driver lives. */
struct driver_spec {
    enum launch_kind kind;
    struct launch launch;
    enum pg_memory memory;
    const char *program;        /* the driver */
    const char *launcher;       /* "mpirun ..." with {ranks} and {threads}, or NULL */
    char *const *command;       /* on a node that is not the head: what to start, whole; or NULL */
    struct other_nodes *others; /* of the job; used if the launch has several nodes */
    char *const *tool;   /* words of a program that starts the driver and watches it, or NULL */
    bool own;            /* of the grader itself: there is no student's library */
    const char *library; /* the student's or the yardstick's; NULL: none is loaded */
    bool own_threads;    /* it may start threads without OpenMP */
    enum looking looking;
    const char *preload;    /* libraries for LD_PRELOAD, of sanitizers or trials; NULL: none */
    const char *calls;      /* in trials: of MPI are noted, PG_ENV_CALLS; or NULL */
    enum late_streams late; /* in trials, on a GPU */
    const char *function;   /* of the kernel; the launch kind adds its suffix */
    bool spread;            /* MPI: each rank gets what it has of the operands */
    const char *scratch;    /* directory: socket, HOME, TMPDIR */
    const char *shm;        /* directory in memory, or NULL */
    const int *cpus;        /* cores to run on; NULL: all of the allocation */
    int cpu_count;
    const struct limits *limits;
    const struct sandbox_policy *sandbox;
    enum memory_fill fill;         /* what malloc() returns; FILL_NONE but in trials */
    bool code_ran;                 /* of the library, in an earlier driver started with this */
    struct supervisor *supervisor; /* the same for all drivers of a proctor */
    char device[DRIVER_DEVICE];    /* reported by the first driver that was started with this; the
                                      later ones must report the same */
};

/* A member is written only by the file in the heading above it. */
struct driver_process {
    /* driver_start */
    struct driver_spec spec;
    pid_t pid;             /* the child of the proctor; 0: no driver is running */
    pid_t leader;          /* the process on the socket, as the kernel reports it */
    struct pid_list ranks; /* all processes below the launcher or the tool; else empty */
    unsigned rank_count;   /* MPI: in the order of their numbers, as the driver told before the
                              library was loaded */
    pid_t rank_pid[PG_RANKS_TOLD];
    uint64_t rank_waits[PG_RANKS_TOLD]; /* where their memory has a struct pg_waits */
    int *rank_sock; /* of each rank of the launch; spread: where ranks but 0 get a CASE; else -1 */
    uint64_t reaped_faults;     /* MPI: driver_reaped_faults() when these were listed */
    char device[DRIVER_DEVICE]; /* the driver's name for its device; "" on the host */
    enum computes computes;     /* until the library is loaded: by its kind */
    struct own_files own;       /* of a launcher; owned */
    int gate;                   /* exec_gate.h; -1: none */
    int agent;                  /* launch_agent.h: listens; -1: none */
    unsigned protections;       /* set of enum protection; kept after driver_end() */
    double empty_run;           /* seconds of a run of no problem, before the library was loaded; 0:
                                   it was not timed */
    uint64_t unit_deadline;     /* CLOCK_MONOTONIC ns; 0: none. The owner may move it. */

    /* driver_process: driver_reap() */
    bool reaped;
    int wait_status;        /* of pid, once it is reaped */
    double cpu_used;        /* seconds, of pid and the children that it has reaped */
    uint64_t peak_resident; /* bytes, of the largest of these */
    uint64_t oom_kills;     /* on this machine, when it was started */

    /* driver_channel, driver_run */
    int sock;          /* -1: not connected */
    uint64_t sequence; /* of the last request */
    int overruns;      /* runs with more processor time than its cores have */

    /* driver_limits */
    int output_fd;         /* the pipe; -1: none */
    struct strbuf output;  /* the last bytes that the driver printed since the case began */
    uint64_t output_bytes; /* all that it printed */
    uint64_t written;      /* by ranks, when their output was last awaited; 0: unknown */
    uint64_t peak_memory;  /* bytes */
    uint64_t unseen;       /* memory (procfs.h), at checked_ns */
    uint64_t in_files;     /* MPI: bytes of memory that are in files, then */
    /* See driver_limits.c: the deadline, and when it was last looked at, how long threads of the
     * driver had waited and others had computed on its cores, ns. */
    uint64_t deadline, held_up_ns, others_ns;
    uint64_t waits_stamp; /* then: driver_waits_stamp() */
    uint64_t checked_ns;  /* time of the last check that happens only now and then */

    /* driver_deadlock */
    struct quiet {
        uint64_t stamp, since, looked; /* driver_waits_stamp(), and times; stamp 0: none */
        struct {
            uint64_t ran, held_up, others;
        } rank[PG_RANKS_TOLD]; /* ns, at `since`: see driver_deadlock.c */
    } quiet;

    /* driver_halt */
    bool halted;
    struct wait_times waits;      /* of its first process, just after it was told to stop */
    uint64_t still_ns;            /* time when all threads were stopped */
    uint64_t halted_cpu_ns;       /* processor time used until then */
    uint64_t halted_ns;           /* time when halted_cpu_ns was read */
    const char *violation;        /* something that no driver does by itself, or NULL */
    struct outcome elsewhere;     /* what another node complains of; OUTCOME_OK: nothing */
    enum outcome_kind not_halted; /* why it cannot be halted; OUTCOME_OK: it can */

    /* driver_pin */
    int core; /* the first core that the driver was moved to; -1: not moved */
};

#define DRIVER_PROCESS_INIT                                                                        \
    {                                                                                              \
        .gate = -1, .agent = -1, .sock = -1, .output_fd = -1, .output = STRBUF_INIT, .core = -1    \
    }

/* What a driver says of ranks that start programs. */
#define DRIVER_STARTED_PROCESSES "it started processes"

/* True from driver_start() to driver_end(), if a process was started. It may have ended since. */
bool driver_alive(const struct driver_process *d);

/* Collect the exit status of the child if it has ended. True when there is none to wait for. */
bool driver_reap(struct driver_process *d);

#endif
