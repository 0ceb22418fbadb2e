/*
 * assignment.h - one assignment as data: what is computed, by which tiers, on which cases, under
 * which limits, for how many points. docs/assignment.md is the reference for the file format.
 *
 * All policy is here: C code contains no partition name, limit, flag or point value. Fields with
 * one value each are entries of fields.def, which has their ranges and defaults. Structures that
 * include it have a member for each.
 */
#ifndef MODEL_ASSIGNMENT_H
#define MODEL_ASSIGNMENT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "kernel/file.h"
#include "kernel/kernel.h"
#include "model/deadline.h"
#include "model/field_kinds.h"
#include "model/launch_kind.h"
#include "model/subset.h"

/* Between two commands of one compile command. The second one runs when the first one succeeds. */
#define COMPILE_STEP "&&"

/* What happens to a source that changes the options of the compiler. (The compile command of the
 * tier fixes them.) */
enum pragma_rule {
    PRAGMAS_ALLOW,  /* nothing */
    PRAGMAS_FLAG,   /* it is graded, and reports name it */
    PRAGMAS_FORBID, /* verdict forbidden */
};

/* What follows from a second build, which looks for mistakes that the first one hides. */
enum sanitized_rule {
    SANITIZED_REMARK,  /* a remark */
    SANITIZED_VERDICT, /* a wrong result there is a wrong answer */
    SANITIZED_OFF,     /* there is no second build */
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

/* Points for speed at one size: linear between the points of the curve, constant outside it. */
struct speed_rule {
    struct shape shape;
    bool every_size; /* every performance size of the tier, not one shape */
    double points;
    struct curve_point *curve;
    unsigned curve_count;
};

struct tier_points {
#define FIELDS_POINTS
#include "model/fields.def"
    struct speed_rule *speed;
    unsigned speed_count;
};

/* What a node must have. Without it the tier is skipped, and the hint is shown. */
struct requirement {
    char *command; /* a program on PATH, or NULL */
    char *file;    /* a path that must exist, or NULL */
    char *hint;    /* what to install or do */
    bool to_run;   /* needed only to run: without it the tier is built, but not run */
};

/* How Slurm is asked for memory: the site says it. */
enum memory_request { MEMORY_PER_NODE, MEMORY_PER_CORE, MEMORY_NOT_ASKED };

/* What a Slurm job asks for. NULL or 0: it does not ask for this. */
struct resources {
#define FIELDS_SLURM
#include "model/fields.def"
    enum memory_request memory_as;
    char **extra; /* further sbatch options, verbatim */
    unsigned extra_count;
};

/* What is compiled with an adapter. */
enum adapter_for { ADAPTER_FOR_SUBMISSIONS, ADAPTER_FOR_ALL };

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

/* Functions of libraries that a submission may call, and may not call; see calls.h. */
struct calls {
    struct patterns allow, forbid;
};

struct tier {
#define FIELDS_TIER
#include "model/fields.def"
    char *name;                  /* "simd": [a-z0-9_-]+ */
    char *title;                 /* "SIMD (AVX2)" */
    const struct kernel *kernel; /* of the problem of the assignment's kernel */
    const char *directory;       /* the assignment's; NULL or "": none */
    char **sources;              /* accepted file names, the first present wins: simd.c, simd.cpp */
    unsigned sources_count;
    unsigned sources_handed_in; /* the first of them: with the directory. The others are for the
                                   reference, which need not have the directory */
    char **with;                /* patterns of further source files */
    unsigned with_count;
    char *adapter_suffix; /* ".cpp", with adapter */
    char *adapter;        /* a source of the instructor, compiled with each submission; or NULL */
    char *compile;        /* "gcc -O3 ... -o {out} {src}"; words are split at blanks, no shell.
                             Commands with COMPILE_STEP between them run one after the other */
    char *compile_cxx;    /* for .cpp .cc .cxx sources; NULL: C++ is refused with a message */
    enum launch_kind kind;
    int *ranks; /* launches: the grid ranks x threads on one node ... */
    unsigned ranks_count;
    int *threads;
    unsigned threads_count;
    int *nodes; /* ... and nodes x threads, each node with ranks_per_node; these are above 1 */
    unsigned nodes_count;
    int ranks_per_node; /* 0: there are no nodes */
    int *gpus;          /* of each process: the grid has these, too; none: it does not say */
    unsigned gpus_count;
    char **architectures; /* cuda: "90a", "80"; none: that of the GPU present */
    unsigned architectures_count;
    char *launcher; /* mpi: "mpirun -n {ranks} ..."; the driver's command line is appended */
    struct requirement *requires;
    unsigned requires_count;
    struct shape_rule shapes; /* which it must be able to compute */
    struct shape *sizes;      /* performance sizes of this tier; none: those of the assignment */
    unsigned sizes_count;
    struct shape *weak; /* for one worker, of weak scaling: weak.h */
    unsigned weak_count;
    struct calls calls; /* its own or the assignment's */
    struct axis *axes;  /* of a sweep: see sweep.h */
    unsigned axes_count;
    bool sweep;
    char *varies;    /* a sweep: the tier that it varies */
    bool idle;       /* it does not run in this run, so it has no sizes: sweep.h, subset.h */
    unsigned attest; /* evidence that a unit which passes must show: a set of enum attest_kind */
    struct tier_points points;
    struct resources slurm; /* laid over the assignment's */
};

struct correctness {
#define FIELDS_CORRECTNESS
#include "model/fields.def"
    int *stress_threads; /* further counts of threads, for correctness only; may exceed the cores */
    unsigned stress_threads_count;
};

struct performance {
#define FIELDS_PERFORMANCE
#include "model/fields.def"
    struct shape *sizes;
    unsigned sizes_count;
    bool sizes_left_out; /* the profile in use does not measure all sizes of the assignment */
};

struct limits {
#define FIELDS_LIMITS
#include "model/fields.def"
};

/* How often the Slurm controller is asked, and for how much. */
struct submit_policy {
#define FIELDS_SUBMIT
#include "model/fields.def"
};

/* A named smaller (or larger) set of cases. */
struct profile {
    char *name;
    struct profile_value *values; /* field.h; other fields are as in the assignment */
    unsigned values_count;
    struct shape *sizes; /* none: as in the assignment */
    unsigned sizes_count;
};

/* Memory bandwidths with which rooflines are made, 10^9 bytes/s. */
#define BANDWIDTH_MEASURED 0.0 /* that of the node, as measured */
struct bandwidths {
    double *gbs;
    unsigned count; /* at least one, once loaded */
};

/* Two tiers whose speeds are compared (report/versus.h): that of a submission, and another one of
 * the same submission or of the reference. */
struct versus {
    int tier, other;
    bool reference;
};

/* Which speed is paid: the median, or the end of the interval that favours the student. */
enum benefit { BENEFIT_NONE, BENEFIT_INTERVAL };

/* Text that compile commands name: "{NAME}". */
struct flag {
    char *name, *text;
};

struct assignment {
#define FIELDS_ROOT
#include "model/fields.def"
    char *name;
    char *title;
    const struct kernel *kernel;     /* of tiers that name no other one */
    struct kernel_file *kernel_file; /* that it is from; NULL: it is built in */
    char *kernel_text;               /* as written */
    char *reference;                 /* a submission directory, absolute once loaded */
    char *reference_text;            /* as written, relative to the file */
    char *directory;                 /* "project2/src/": sources lie there in a submission; or "" */
    struct flag *flags;              /* commands of tiers are expanded already */
    unsigned flags_count;
    int fixed[SHAPE_DIMS]; /* dimensions that every shape has; 0: not fixed */
    char *template;        /* a directory like a submission, what students start with; or NULL */
    char *baseline;        /* tier of the reference that speed-ups are over */
    char *yardstick;       /* tier of the reference timed beside every unit */
    struct correctness correctness;
    struct performance performance;
    struct limits limits;
    struct submit_policy submit;
    struct resources slurm;
    struct calls calls;   /* as written; see calls.h */
    unsigned protections; /* required: a set of enum protection */
    struct deadline deadline;
    struct tier *tiers;
    unsigned tiers_count;
    struct tier *sweeps; /* tiers too, with axes; sweep.h */
    unsigned sweeps_count;
    struct versus *versus;
    unsigned versus_count;
    struct bandwidths bandwidth, device_bandwidth; /* of the host, and of a GPU */
    struct profile *profiles;
    unsigned profiles_count;
    struct subset only; /* of the run: what is left of the cases and launches */
    /* Of the files that sizes name. Shapes of this assignment point to them, so these shapes are
     * valid as long as the assignment. */
    struct matrix_files *matrices;
};

/* Load and check an assignment file, and fill in the defaults. The caller frees *out with
 * assignment_free(). On failure: -1, *out is NULL, and the text names file, line and field. */
int assignment_load(const char *path, struct assignment **out, struct err *e);
/* The same for a copy of the file. The files of matrices and the kernel file are in these
 * directories, and not beside it. kernel_dir: NULL, it is beside it. */
int assignment_load_copy(const char *path, const char *matrices_dir, const char *kernel_dir,
                         struct assignment **out, struct err *e);
/* Make it the assignment of a run, in place (assignment_prepare.c): its sweeps instead of its
 * tiers; the profile of this name, NULL: none; and a part of it, NULL: all. An unknown profile is
 * an error that lists the profiles. */
int assignment_prepare(struct assignment *a, bool sweep, const char *profile,
                       const struct subset *only, struct err *e);
void assignment_free(struct assignment *a);

/* The profile that self-tests use where nothing else is asked for: "quick"; NULL: the assignment
 * has none of this name, and they use all cases. */
const char *assignment_self_test_profile(const struct assignment *a);

/* Index of the tier of that name, or -1. */
int assignment_tier(const struct assignment *a, const char *name);

/* Are both tiers compared under the same launch? Otherwise with the fastest launch of the other
 * one: if only one of them computes on a device, or the other one has only one launch. */
bool versus_same_launch(const struct assignment *a, const struct versus *v);

/* Name of the tier of the reference that a tier is timed beside. */
const char *tier_yardstick(const struct assignment *a, const struct tier *t);
/* The same for a node on which the tier's own yardstick cannot run: a tier of the reference on the
 * host with the same kernel. Its own one if there is no such tier. */
const char *tier_yardstick_on_host(const struct assignment *a, const struct tier *t);

/* Is the baseline measured beside this yardstick, a tier of the reference? The baseline runs on the
 * host and computes one kernel. Beside other yardsticks its time is that of the node's record of
 * the assignment's yardstick. */
bool yardstick_has_baseline(const struct assignment *a, const char *yardstick);

/* Is the tier's adapter compiled with what a submission, or the reference, has? */
bool tier_adapts(const struct tier *t, bool reference);

/* Can the tier compute this shape? */
bool tier_takes(const struct tier *t, struct shape s);

/* Whether a file of a submission, "lib/a.c", matches the tier's `with`. The directory of the
 * assignment before it does not matter. */
bool tier_names_source(const struct tier *t, const char *name);
/* Whether it is compiled then: its name must be plain (source_name.h), since students choose it. */
bool tier_adds_source(const struct tier *t, const char *name);

/* The launches of a tier, in the order of reports: ranks, then nodes outer, threads inner, GPUs
 * innermost. */
unsigned tier_launch_count(const struct tier *t);
struct launch tier_launch(const struct tier *t, unsigned i);
/* How many GPUs a launch of it has; 0: its kind computes on the cores. */
int tier_gpus(const struct tier *t, struct launch l);
/* Of a node, in its largest launch. */
int tier_gpus_most(const struct tier *t);

/* Launches of a tier that only check correctness, with many threads, so that races show. Tiers with
 * ranks run them alternately with the fewest ranks and with the fewest ranks above one. */
unsigned tier_stress_count(const struct assignment *a, const struct tier *t);
/* Is the tier made for threads, by the options of its compiler, and has no launch with several?
 * Then no race of its programs is looked for, although the assignment has stress_threads. */
bool tier_lacks_threads(const struct assignment *a, const struct tier *t);
struct launch tier_stress(const struct assignment *a, const struct tier *t, unsigned i);
/* Launches and stress launches together. */
unsigned tier_check_count(const struct assignment *a, const struct tier *t);
/* Is correctness checked under the i-th of them? Of the launches over several nodes, only under
 * that with the most nodes and, of these, the most threads. */
bool tier_checks(const struct tier *t, unsigned i);

/* Performance sizes of a tier: its own, or those of the assignment that it takes. They were checked
 * when loaded. */
unsigned tier_size_count(const struct assignment *a, const struct tier *t);
struct shape tier_size(const struct assignment *a, const struct tier *t, unsigned i);

/* Does this rule give points for speed at that size? */
bool speed_rule_is_for(const struct speed_rule *rule, struct shape size);
/* Does any rule of the tier? */
bool tier_pays_speed(const struct tier *t, struct shape size);

/* The Slurm resources of a tier: its own fields, and those of the assignment where it has none. The
 * strings belong to the assignment. */
struct resources tier_resources(const struct assignment *a, const struct tier *t);

const char *metric_name(enum speed_metric m);

#endif
