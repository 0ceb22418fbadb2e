/*
 * result.h - what the proctor found out about one unit, and about one node. Times are seconds,
 * measured by the proctor's clock. rundir/result_file.h and rundir/node_file.h store both.
 */
#ifndef MODEL_RESULT_H
#define MODEL_RESULT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/digest.h"
#include "base/stats.h"
#include "kernel/mismatch.h"
#include "kernel/shape.h"
#include "model/assignment.h"
#include "model/cause.h"
#include "model/counters.h"
#include "model/estimate.h"
#include "model/protection.h"
#include "model/verdict.h"

/* What one rank did in the timed runs of a case. Told by the student's own processes: for
 * people and flags, never for a verdict. */
struct rank_work {
    double compute_seconds; /* in the kernel, outside MPI */
    double mpi_seconds;     /* in the kernel, in MPI: sending, receiving, waiting */
    uint64_t bytes;         /* given to MPI or taken from it */
    bool shared; /* it has a window of shared memory: data that moves without being sent */
};

enum { RANKS_MOST = 4096 };

/* More bytes than any case can move. Larger sums are cut to this. */
#define RANK_BYTES_MOST (UINT64_C(1) << 50)

/* Add what a rank did since it was last asked. A result must be readable whatever ranks tell. */
void rank_work_add(struct rank_work *sum, const struct rank_work *more);

/* One case under one launch. */
struct case_result {
    int case_index;
    int point;            /* of a sweep's combinations of macro values; 0 elsewhere */
    int launch_index;     /* of the tier's launches; -1: a stress run */
    struct launch launch; /* as run */
    enum verdict verdict;
    char message[600]; /* one line for people; "" when passed */
    struct mismatch mismatch;
    struct accuracy accuracy; /* the largest of all runs; NAN: results had to be exact */
    int runs;                 /* executions checked */
    int failed_runs;          /* of them */
    uint64_t failed_run;      /* number of the values of the first one; no file has this */
    enum cause cause;         /* as far as it is known */
    bool oversubscribed; /* more threads or ranks than cores: correctness counts, speed does not */
    struct sample *samples; /* performance cases that passed; owned */
    unsigned samples_count;
    struct rank_work *ranks; /* mpi, timed cases; in the order of the ranks */
    unsigned ranks_count;
    char *output; /* of a failure: what was printed then; owned; NULL; no file has this */
    struct counters counters; /* timed cases of the host, where the assignment asks for them */
    /* What the samples say. No file has this: case_result_derive() fills it in. */
    struct estimate estimate;
    double cores_used; /* in the run with the most; as in the sample */
    double busiest;    /* in the same run */
};

/* Whether a unit did what its tier is about. */
enum attested {
    ATTESTED_UNKNOWN, /* not asked, or nothing could be seen */
    ATTESTED_YES,
    ATTESTED_NO, /* flagged: for a person to look at; verdict and points stay */
};

enum activity { ACTIVITY_API, ACTIVITY_KERNEL, ACTIVITY_COPY, ACTIVITY_COUNT };

enum { PROFILE_MOST = 200 };

/* All calls of one function, all launches of one kernel, all copies in one direction. */
struct profile_row {
    enum activity activity;
    char name[200];
    uint64_t calls;
    double seconds; /* all calls together */
    /* Of single calls; NAN: unknown. The deviation of one call is unknown, too. */
    double median, min, max, stddev;
    unsigned registers, shared_bytes, block_threads; /* kernels: per thread, block, block */
    uint64_t grid_blocks;
    double occupancy; /* kernels: resident warps over the most, 0..1 */
};

/* What one timed execution consisted of, as the device's profiler tells it from inside the
 * student's process: for people, never for a verdict. */
struct device_profile {
    struct shape shape;
    struct profile_row *row;
    unsigned count;
};

/* The smallest case found that fails as the unit does: see smallest.h. For people: no verdict and
 * no points depend on it. */
struct smallest_result {
    bool present;
    struct shape shape;
    char values[VALUES_NAME]; /* their kind: "full" */
    uint64_t seed;            /* of the values; the first run is run 0 of this seed */
    struct launch launch;
    enum verdict verdict; /* the unit's */
    char message[sizeof((struct case_result *)0)->message];
    int runs, failed_runs; /* of this case */
    int tried;             /* cases */
    double seconds;        /* that the search took */
    bool finished;         /* nothing smaller was left to try */
};

/* As a unit's device: its kind has one, but the host's cores computed. */
#define DEVICE_FELL_BACK "host"

struct unit_result {
    char *unit_id;
    enum verdict verdict;
    char *message; /* one line: the first failure, as a student should read it */
    char *build_command;
    char *build_log; /* first lines of what the compiler said */
    char *output;    /* the last bytes that the student's program printed in one case */
    char
        *last_output; /* of the last failure, on the way to its case; owned; NULL; no file has it */
    char *numbers;    /* of the first wrong result, where they are few; owned; NULL; only a replay
                         keeps them, in a file of its own */
    int output_case;  /* the first one that failed; -1: the first one that printed anything */
    char *host;       /* key of the node record */
    char *yardstick;  /* tier of the reference that it was timed beside; "" before any timing */
    char *device;     /* that computed; "" for the host's cores; DEVICE_FELL_BACK */
    char *job;        /* Slurm job or "local" */
    char *started;    /* UTC */
    double build_seconds;
    double total_seconds;
    /* What of this was spent where. */
    double kernel_seconds;    /* in requests to the unit's drivers */
    double yardstick_seconds; /* in requests to the grader's own drivers */
    double grader_cpu;        /* processor time of the proctor itself, seconds */
    double peak_memory;       /* bytes */
    int cores;                /* in the allocation */
    char *source_hash;
    char *compiler;                /* first line of --version */
    char library_hash[DIGEST_HEX]; /* of what was built: equal code has an equal one. "": unknown */
    struct case_result *cases;
    unsigned cases_count;
    struct smallest_result smallest;
    struct device_profile profile;
    int protections; /* in force whenever its code was built or run: a set of enum protection;
                        PROTECTIONS_UNKNOWN: neither built nor run */
    enum attested attested;
    char *evidence; /* one line: what was seen; "" when nothing was looked for */
    /* For the student and the instructor: no verdict and no points depend on them. */
    char *remarks;   /* lines: mistakes that did not show in a verdict, and compiler warnings */
    char *sanitized; /* one line: what the second build was, or why there was none */
};

/* The text fields of a unit's result besides its id; none is NULL. Files have them under the same
 * names. */
/* clang-format off */
#define UNIT_RESULT_TEXTS(TEXT)                                                                    \
    TEXT(message) TEXT(build_command) TEXT(build_log) TEXT(output) TEXT(host) TEXT(yardstick)      \
    TEXT(device) TEXT(job) TEXT(started) TEXT(source_hash) TEXT(compiler) TEXT(evidence)    \
    TEXT(remarks) TEXT(sanitized)
/* clang-format on */

/* Baseline and yardstick at one size on one node. */
struct calibration {
    struct shape shape;
    struct sample *samples; /* of the baseline as a unit; owned. Without a baseline, of the
                               yardstick alone */
    unsigned samples_count;
    double known; /* the yardstick's best time on this node before, seconds; NAN: unknown */
    /* What the samples say. No file has this: node_record_derive() fills it in. */
    double record;            /* seconds: the yardstick's best time on this node */
    struct interval baseline; /* seconds of a call; n = 0: not measured */
    struct interval ratio;    /* baseline / yardstick; n = 0 without baseline */
    bool confirmed;
};

/* What so many cores can do at most, together, or a whole GPU. Operations are 10^9 operations/s,
 * where a multiply-add is two; memory rates are 10^9 bytes/s, read plus written. NAN: unknown. */
struct ceiling {
    int workers;                  /* a GPU is one */
    double gops;                  /* multiply-adds of the kernel's type */
    double type_gops[TYPE_COUNT]; /* multiply-adds of each type */
    double tensor_gops;           /* products of tiles of doubles, on tensor cores */
    double gbs;                   /* copies: a[i] = b[i] */
    double triad_gbs;             /* a[i] = b[i] + s c[i] */
};

struct node_record {
    char *host;
    char *yardstick; /* tier of the reference */
    char *model;     /* processor or GPU */
    char *started;
    char *kernel, *microcode; /* Linux's, of the host; "" when unknown */
    char *driver;             /* of the GPU; "" without one */
    bool device;              /* a GPU: then the figures are those of the whole of it */
    int cores;                /* usable by this process; multiprocessors of a GPU */
    int cores_total;
    uint64_t l2, l3;          /* bytes, 0 unknown */
    double peak_gops;         /* measured multiply-add rate, one core, 10^9 operations/s */
    bool tiles;               /* its cores multiply 8-bit tiles (AMX), which that rate leaves out */
    double bandwidth_gbs;     /* measured copy bandwidth, one core, 10^9 bytes/s */
    struct ceiling *ceilings; /* by workers; the first one is of one core, or of the GPU */
    unsigned ceilings_count;
    double overhead_us; /* harness: go to done of an empty call, median */
    struct calibration *calibrations;
    unsigned calibrations_count;
};

/* A result in which nothing is known yet: empty texts, no cases, VERDICT 0, protections unknown. */
struct unit_result *unit_result_new(const char *unit_id);
void unit_result_free(struct unit_result *r);

/* Fill in what the samples say. record: the yardstick's best time on the node, seconds; NAN:
 * unknown. precision: of the assignment. */
void case_result_derive(struct case_result *c, double record, double precision);

/* Add a line to the remarks, as printf() does; what is longer than REMARK_MOST is cut off. */
enum { REMARK_MOST = 700 };
void unit_result_remark(struct unit_result *r, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* Where it was computed, as `device` says. */
enum computes unit_result_computes(const struct unit_result *r);

/* The failed case that a unit's message is about: of those with the deciding verdict the first
 * among the most telling. NULL when no case has the unit's verdict. */
const struct case_result *unit_result_first_failure(const struct unit_result *r);

/* The message of that case begins with its cause, "naive.c:7: writes outside of ...". */
void unit_result_lead(struct unit_result *r, const char *cause);

const char *activity_name(enum activity a);
/* Of the time of all rows of the same kind (calls, or what the device did), 0..1. */
double profile_share(const struct device_profile *p, unsigned row);

void node_record_free(struct node_record *n);
/* Fill in what the samples say. host: the record of the assignment's yardstick on the same node,
 * filled in before, which has the baseline; NULL: n is that one. The record of a size only gets
 * better, also by what is filled in already. */
void node_record_derive(struct node_record *n, const struct node_record *host, double precision);

/* Derive, and drop the baseline's starts at each size at which it is not confirmed. It is timed
 * anew there: the fastest of ever more starts would be faster than any unit can be. */
void node_record_forget_unconfirmed(struct node_record *n, double precision);
/* Multiply-adds of so many workers, 10^9 operations/s: as measured, or in proportion to the largest
 * measured number below. A device is one worker. */
double node_peak(const struct node_record *n, int workers);
/* The same for a type that need not be the kernel's; NAN: unknown. */
double node_type_peak(const struct node_record *n, enum element_type type, int workers);
/* The memory bandwidth of so many workers, 10^9 bytes/s: the larger one of the rates of copy and
 * triad. Between two measured numbers of workers: on the line between them. NAN: unknown. */
double node_bandwidth(const struct node_record *n, int workers);
/* Peak and bandwidth of a launch on nodes like this one. A device is one worker. */
double launch_peak(const struct node_record *n, struct launch l);
double launch_bandwidth(const struct node_record *n, struct launch l);
const struct calibration *node_calibration(const struct node_record *n, struct shape s);

#endif
