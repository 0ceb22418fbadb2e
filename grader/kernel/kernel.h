/*
 * kernel.h - a computation that students implement. A kernel says how large its matrices are, how
 * inputs are made, what the right answer is, how results are compared, and how many operations and
 * bytes it needs. It does not depend on assignments, cases or results.
 *
 * A new kernel is one file here (a struct kernel), one header in abi/, and its references.
 */
#ifndef KERNEL_KERNEL_H
#define KERNEL_KERNEL_H

#include <stddef.h>
#include <stdint.h>

#include "kernel/launch.h"
#include "kernel/mismatch.h"
#include "kernel/shape.h"
#include "kernel/values.h"

#define KERNEL_MAX_INPUTS 4

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

    /* Fill the i-th input: a pure function of the other arguments. Different seeds give different
     * values throughout. */
    void (*generate)(struct shape s, enum value_dist values, uint64_t seed, int i, void *dst);

    /* Compute the right answer by trusted code. */
    void (*expect)(struct shape s, const void *const in[], void *out);

    /* Compare got with expected, element by element. Returns the number of wrong elements and
     * describes them in *m. `poison` is the 64-bit pattern that filled the output before the call.
     */
    uint64_t (*compare)(struct shape s, const void *expected, const void *got, uint64_t poison,
                        struct launch launch, struct mismatch *m);

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
