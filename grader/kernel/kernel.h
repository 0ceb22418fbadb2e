/*
 * kernel.h - a computation that students implement. A kernel says how large its matrices are, how
 * inputs are made, what the right answer is, how results are compared, and how many operations and
 * bytes it needs. It does not depend on assignments, cases or results.
 *
 * A new kernel is one file here (a struct kernel), one header in abi/, and its references.
 */
#ifndef KERNEL_KERNEL_H
#define KERNEL_KERNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernel/launch.h"
#include "kernel/mismatch.h"
#include "kernel/shape.h"
#include "kernel/values.h"

#define KERNEL_MAX_INPUTS 4

/* A result beside the right one. */
struct comparison {
    struct shape shape;
    enum value_dist values;
    const void *const *in; /* the inputs */
    const void *expected, *got;
    uint64_t poison; /* the 64-bit pattern that filled `got` before the call */
    struct launch launch;
};

struct kernel {
    const char *name; /* as in assignment files: "gemm" */
    enum element_type type;
    int inputs;
    const char *input_name[KERNEL_MAX_INPUTS]; /* for messages: "A", "B" */
    const char *output_name;

    /* The function that a student defines: "gemm_i32". The launch kind of the tier adds a suffix.
     */
    const char *function;

    /* Bytes of the i-th input, and of the output. */
    size_t (*input_bytes)(struct shape s, int i);
    size_t (*output_bytes)(struct shape s);

    /* The values of correctness cases, in turn, and those of timed runs. */
    const enum value_dist *values;
    int values_count;
    enum value_dist timed;

    /* Fill the i-th input: a pure function of the other arguments. Different seeds give different
     * values throughout. */
    void (*generate)(struct shape s, enum value_dist values, uint64_t seed, int i, void *dst);

    /* Compute the right answer by trusted code. If the kernel has certify(), this is slow: it is
     * for small shapes only, and at the sizes that are timed the yardstick gives the answer. */
    void (*expect)(struct shape s, const void *const in[], void *out);

    /* Is c->got right? (c->expected is not used.) A cheap check of a whole result, for the
     * yardstick at large shapes. It misses a wrong element with a probability below 2^-60 if the
     * values are exact, and looks at some rows if they are not. NULL: expect() is fast enough.
     * seed: random, of the check. */
    bool (*certify)(const struct comparison *c, uint64_t seed);

    /* Compare c->got with c->expected, element by element. Returns the number of wrong elements,
     * describes them in *m, and says how large the errors are. */
    uint64_t (*compare)(const struct comparison *c, struct mismatch *m, struct accuracy *a);

    /* For people who compare results themselves: by how much an element of a rounded result may be
     * wrong, over the norms of its row of A and its column of B. 0: all results are exact. */
    double error_most;

    /* What an output holds before a call, made from a random number. NULL: the number itself. */
    uint64_t (*poison)(uint64_t random);

    double (*operations)(struct shape s); /* of one call */
    double (*bytes)(struct shape s);      /* of memory that one call must read or write at least */
};

/* The kernel of that name for elements of that type, or NULL. */
const struct kernel *kernel_find(const char *name, enum element_type type);

/* Names of all kernels, NULL-terminated. */
const char *const *kernel_names(void);

/* Fill dst with the 64-bit pattern. `bytes` need not be a multiple of 8. */
void kernel_poison(void *dst, size_t bytes, uint64_t pattern);

#endif
