/*
 * assignment.h - one assignment as data: what is computed, by which tiers, on which cases, under
 * which limits, for how many points. docs/assignment.md is the reference for the file format.
 *
 * Everything that could be policy is here: no partition name, limit, flag or point value stands
 * in C code. Defaults are written down in assignment_defaults.h, once.
 */
#ifndef MODEL_ASSIGNMENT_H
#define MODEL_ASSIGNMENT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "kernel/launch.h"
#include "kernel/shape.h"
#include "kernel/values.h"
#include "model/launch_kind.h"

/* A source that changes the compiler's options, which the compile command fixes, is ... */
enum pragma_rule {
    PRAGMAS_ALLOW,  /* nobody's business */
    PRAGMAS_FLAG,   /* graded, and named to instructor and student */
    PRAGMAS_FORBID, /* forbidden */
};

enum speed_metric {
    METRIC_SPEEDUP,  /* over the baseline tier of the reference */
    METRIC_GOPS,     /* 10^9 operations per second */
    METRIC_FRACTION, /* of the reference submission's speed in the same tier */
};

struct curve_point {
    double value; /* of the metric */
    double share; /* of the points, 0..1 */
};

/* Points for speed at one size: piecewise linear through the curve, flat outside it. */
struct speed_rule {
    char *size; /* text as in the file; NULL: every performance size of the tier */
    struct shape shape;
    bool every_size;
    double points;
    struct curve_point *curve;
    unsigned curve_count;
};

struct tier_points {
    double correct; /* for verdict pass (or its share of passed cases, when partial) */
    bool partial;   /* pay `correct` in proportion to the cases passed; speed still needs all */
    enum speed_metric metric;
    struct speed_rule *speed;
    unsigned speed_count;
};

struct requirement { /* what a node must have, else the tier is skipped with the reason */
    char *command;   /* a program on PATH, or NULL */
    char *file;      /* a path that must exist, or NULL */
    char *hint;      /* what to install or do */
    bool to_run;     /* needed to run, not to build: without it the tier is built, then skipped */
};

struct resources { /* what a Slurm job asks for; NULL or 0: nothing is asked */
    char *partition;
    char *account;
    char *qos;
    char *constraint;
    char *gres;
    int nodes;
    int tasks;
    int cpus_per_task;
    uint64_t memory_bytes; /* per node; must exceed limits.memory */
    int64_t time_ms;
    bool exclusive;
    char **extra; /* further sbatch options, verbatim */
    unsigned extra_count;
};

/* Where a CUDA tier's matrices lie. */
enum matrix_memory { MEMORY_DEVICE, MEMORY_MAPPED };

/* A macro of the source and the values that a sweep gives it. */
struct axis {
    char *macro;
    int *values;
    unsigned count;
};

/* Patterns (fnmatch) of names. */
struct patterns {
    char **item;
    unsigned count;
};

/* Functions of others that a submission may and may not call; calls.h. */
struct calls {
    struct patterns allow, forbid;
};

struct tier {
    char *name;     /* "simd": [a-z0-9_-]+ */
    char *title;    /* "SIMD (AVX2)" */
    char **sources; /* accepted file names, the first present wins: simd.c, simd.cpp */
    unsigned sources_count;
    char *compile;     /* "gcc -O3 ... -o {out} {src}"; words are split at blanks, no shell */
    char *compile_cxx; /* for .cpp .cc .cxx sources; NULL: C++ is refused with a message */
    enum launch_kind kind;
    int *ranks; /* launch shapes: the grid ranks x threads */
    unsigned ranks_count;
    int *threads;
    unsigned threads_count;
    char *yardstick;           /* tier of the reference to time it beside; NULL: the assignment's */
    enum matrix_memory memory; /* cuda */
    char **architectures;      /* cuda: "90a", "80"; none: that of the GPU present */
    unsigned architectures_count;
    char *launcher; /* mpi: "mpirun -n {ranks} ..."; the driver's command line is appended */
    struct requirement *requires;
    unsigned requires_count;
    char **size_texts; /* performance sizes of this tier; none: those of the assignment */
    unsigned size_texts_count;
    struct calls calls;       /* its own or the assignment's */
    enum pragma_rule pragmas; /* likewise */
    struct axis *axes;        /* of a sweep: see sweep.h */
    unsigned axes_count;
    bool sweep;
    bool idle;       /* of a run that sweeps: has no sizes of its own */
    unsigned attest; /* enum attest_kind: what a unit that passes is looked at for */
    struct tier_points points;
    struct resources slurm; /* laid over the assignment's */
};

struct correctness {
    int random;           /* number of random cases */
    int min_dim, max_dim; /* of random cases, log-uniform, each dimension on its own */
    bool edges;           /* the fixed list of edge shapes as well */
    int repeat;           /* how often each case is run with fresh values, per launch */
    int *stress_threads;  /* further thread counts for correctness only, may exceed the cores */
    unsigned stress_threads_count;
    int stress_repeat;      /* runs of each stress case, one by one (races need chances) */
    int64_t stress_time_ms; /* of further runs of each case under each launch with threads */
};

/* Each kind of matrix - operands, output, the yardstick's output - has this much memory in the
 * proctor, or what the largest takes: small ones then lie elsewhere from sample to sample. */
#define MATRIX_POOL_BYTES (UINT64_C(64) << 20)

struct performance {
    char **size_texts;
    unsigned size_texts_count;
    double precision; /* stop when the 95 % interval is +- this share of the median */
    int min_samples;
    int max_samples;
    int64_t budget_ms;     /* of measuring per launch and size */
    int64_t min_sample_ms; /* short kernels are repeated, on fresh data, up to this time */
    bool quiet_node;       /* nothing else of this user's runs are timed on the node meanwhile */
};

struct limits {
    int64_t build_ms;
    int64_t case_ms;       /* one execution of one case */
    int64_t unit_ms;       /* everything after the build */
    uint64_t memory_bytes; /* resident, all processes of a unit, without the matrices */
    int processes;         /* processes and threads together */
    uint64_t output_bytes; /* stdout and stderr */
    uint64_t source_bytes; /* one source file */
    int failures;          /* a unit stops after so many crashes or timeouts */
};

struct submit_policy {  /* how to treat the controller */
    int max_concurrent; /* array throttle (%) */
    int max_array_size; /* 0: ask the cluster */
    int64_t poll_ms;    /* between status queries, at least */
    int retries;        /* of a unit after an infrastructure failure */
};

struct profile { /* a named smaller (or larger) set of cases; 0 or absent: unchanged */
    char *name;
    int random;
    int max_dim;
    char **size_texts;
    unsigned size_texts_count;
    int max_samples;
    int64_t budget_ms;
    double precision;
    int stress_repeat;
};

struct assignment {
    char *name;
    char *title;
    char *kernel; /* "gemm" */
    enum element_type type;
    uint64_t seed;
    char *reference;      /* a submission directory, absolute once loaded */
    char *reference_text; /* as written, relative to the file */
    char *baseline;       /* tier of the reference that speed-ups are over */
    char *yardstick;      /* tier of the reference timed beside every unit */
    struct correctness correctness;
    struct performance performance;
    struct limits limits;
    struct submit_policy submit;
    struct resources slurm;
    struct calls calls;       /* as written; see calls.h */
    enum pragma_rule pragmas; /* of tiers without a rule of their own */
    unsigned protections;     /* required: a set of enum protection */
    struct tier *tiers;
    unsigned tiers_count;
    struct tier *sweeps; /* tiers too, with axes; sweep.h */
    unsigned sweeps_count;
    struct profile *profiles;
    unsigned profiles_count;
};

/* Load, check and complete an assignment file. On failure the text names file, line and field and
 * *out is NULL. The caller frees it with assignment_free(). */
int assignment_load(const char *path, struct assignment **out, struct err *e);
/* Lay a profile over the assignment, in place. Unknown name: error that lists the names. */
int assignment_apply_profile(struct assignment *a, const char *profile, struct err *e);
void assignment_free(struct assignment *a);

/* Index of the tier of that name, or -1. */
int assignment_tier(const struct assignment *a, const char *name);

/* Name of the tier of the reference that a tier is timed beside. */
const char *tier_yardstick(const struct assignment *a, const struct tier *t);

/* Launch shapes of a tier in report order: ranks outer, threads inner. The i-th of count. */
unsigned tier_launch_count(const struct tier *t);
struct launch tier_launch(const struct tier *t, unsigned i);

/* Launches of a tier for correctness only, to make races show: those of its threads, with more of
 * them; of MPI's with the fewest ranks and the fewest above one in turns. The i-th of count. */
unsigned tier_stress_count(const struct assignment *a, const struct tier *t);
struct launch tier_stress(const struct assignment *a, const struct tier *t, unsigned i);

/* Performance sizes of a tier (its own, else the assignment's), already checked by load. */
unsigned tier_size_count(const struct assignment *a, const struct tier *t);
struct shape tier_size(const struct assignment *a, const struct tier *t, unsigned i);

/* The Slurm resources of a tier: its own fields laid over the assignment's. Shallow: strings
 * belong to the assignment. */
struct resources tier_resources(const struct assignment *a, const struct tier *t);

/* "RANKSxTHREADS", both at least 1; false for anything else. */
bool launch_parse(const char *text, struct launch *out);

const char *metric_name(enum speed_metric m);

#endif
