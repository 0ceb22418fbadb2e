/*
 * launch_kind.h - how a tier is launched, and what follows from that: the table in launch.def.
 *
 * Code outside the table and the drivers asks for a trait. It does not name a kind.
 */
#ifndef MODEL_LAUNCH_KIND_H
#define MODEL_LAUNCH_KIND_H

#include <stdbool.h>

enum launch_kind {
#define LAUNCH_KIND(identifier, ...) LAUNCH_##identifier,
#include "model/launch.def"
#undef LAUNCH_KIND
    LAUNCH_KIND_COUNT
};

/* What a tier is about, to be seen in how it ran; a set. */
enum attest_kind {
    ATTEST_SIMD = 1,    /* vector multiplications in the built library */
    ATTEST_THREADS = 2, /* several cores busy while it was timed */
    ATTEST_RANKS = 4,   /* all ranks computed while it was timed */
    ATTEST_KERNELS = 8, /* the device ran kernels */
};

enum launch_trait {
    /* It computes on a GPU: matrices are copied there and back, the sandbox shows the GPU's files,
     * and nothing is bound to a core. Without this trait it computes on the cores of the node. */
    KIND_DEVICE = 1,
    KIND_THREADS = 2, /* its threads share memory on the node, so they can race */
    KIND_RANKS = 4,   /* several processes, started by the launcher of the tier */
    /* The driver owns the memory of the device: the assignment says where the matrices lie, and
     * inputs can be masked (abi/mask.h). */
    KIND_DEVICE_POINTERS = 8,
    KIND_ARCHITECTURES = 16,  /* its compiler builds for given architectures of GPUs */
    KIND_PROFILER = 32,       /* the driver can tell what the device did */
    KIND_LOAD_TIME_CODE = 64, /* its compiler adds code that runs when the library is loaded */
    KIND_YARDSTICK = 128,     /* a tier of one worker can be a yardstick */
    KIND_DEVICE_TOOLS = 256,  /* compute-sanitizer finds mistakes in its kernels */
    KIND_GPUS = 512,          /* a process can have several GPUs */
};

/* Where a driver computes. It is known when the driver has loaded its library. */
enum computes {
    ON_CORES,  /* of the node: its kind has no device */
    ON_DEVICE, /* inputs are copied to the device, masked, and the kernel works on the copies */
    FELL_BACK /* its kind has a device, but the runtime found none and computes on the host. Results
                 are checked; times would mean nothing */
};

enum { LAUNCH_PARAMETERS = 2, LAUNCH_CALLS_MOST = 12, LAUNCH_FUNCTION_MOST = 64 };

struct launch_kind_info {
    const char *name;    /* in assignments and messages: "mpi" */
    const char *program; /* of the driver: its path in the installation */
    const char *suffix;  /* of the function that a student defines: "_mpi" in gemm_i32_mpi */
    /* The last ones of the function. */
    const char *parameter[LAUNCH_PARAMETERS + 1], *parameter_type[LAUNCH_PARAMETERS + 1];
    const char *hint; /* what to do where there is no driver; NULL: every build has it */
    unsigned traits;  /* a set of enum launch_trait */
    unsigned attest;  /* what can be seen of such a tier: a set of enum attest_kind */
    /* Patterns (fnmatch) of further functions that such a tier may call; the rest is NULL. */
    const char *calls[LAUNCH_CALLS_MOST + 1];
};

/* Never NULL. */
const struct launch_kind_info *launch_kind_info(enum launch_kind k);
const char *launch_kind_name(enum launch_kind k);
bool launch_kind_has(enum launch_kind k, enum launch_trait t);

/* All names, in the order of the table, NULL-terminated. */
const char *const *launch_kind_names(void);

/* Sets of kinds: the bit 1U << kind is set for each of them. */
unsigned launch_kinds_with(enum launch_trait t);
unsigned launch_kinds_that_attest(enum attest_kind what);
/* "cuda and openacc", with `joint` between the names. The caller frees it. */
char *launch_kinds_text(unsigned kinds, const char *joint);

/* The function that a student defines in a tier of this kind. `function`: that of the kernel. */
void launch_function(enum launch_kind k, const char *function, char out[LAUNCH_FUNCTION_MOST]);

#endif
