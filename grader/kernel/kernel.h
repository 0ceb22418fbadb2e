/*
 * kernel.h - what the grader must know of a mathematical job: how large its matrices are, how to
 * make inputs, what the right answer is, how to compare, what it costs.
 *
 * A new kernel is one file here (a struct kernel), one header in abi/, and its references.
 */
#ifndef KERNEL_KERNEL_H
#define KERNEL_KERNEL_H

#include <stddef.h>
#include <stdint.h>

#include "model/assignment.h"
#include "model/cases.h"
#include "model/result.h"

#define KERNEL_MAX_INPUTS 4

struct kernel {
    const char *name; /* as in the assignment */
    enum element_type type;
    int inputs;
    const char *input_name[KERNEL_MAX_INPUTS]; /* for messages: "A", "B" */
    const char *output_name;

    /* The function that a tier of this launch kind defines, or NULL when there is no such tier. */
    const char *(*symbol)(enum launch_kind kind);

    /* Bytes of the i-th input, and of the output. */
    size_t (*input_bytes)(struct shape s, int i);
    size_t (*output_bytes)(struct shape s);

    /* Fill the i-th input of the given run of a case: a pure function of (case, run). Different
     * runs have different values throughout, so that a remembered result is wrong. */
    void (*generate)(const struct test_case *c, uint64_t run, int i, void *dst);

    /* The right answer, computed by trusted code. */
    void (*expect)(struct shape s, const void *const in[], void *out);

    /* Compare got with expected, element by element; returns the number of wrong elements and, if
     * there are any, describes them. `poison` is the pattern that the output held before the call.
     */
    uint64_t (*compare)(struct shape s, const void *expected, const void *got, uint64_t poison,
                        struct launch launch, struct mismatch *m);

    double (*operations)(struct shape s); /* of one call */
    double (*bytes)(struct shape s);      /* compulsory memory traffic of one call */
};

/* NULL when there is none. */
const struct kernel *kernel_find(const char *name, enum element_type type);

/* Fill with the 64-bit pattern; n need not be a multiple of 8. */
void kernel_poison(void *dst, size_t bytes, uint64_t pattern);

#endif
