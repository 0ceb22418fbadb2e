/*
 * outputs.h - what a kernel writes. Most kernels have one output; one in a file may have several.
 *
 * The outputs of one problem are one block of memory: each starts at a multiple of OUTPUT_ALIGN,
 * with at least OUTPUT_GAP bytes between them. With one output, the block is that output.
 *
 * An output that is changed in place has initial values. They are an input, too, which the function
 * does not get, and are copied to the output before each call.
 */
#ifndef KERNEL_OUTPUTS_H
#define KERNEL_OUTPUTS_H

#include "kernel/kernel.h"

enum { OUTPUT_ALIGN = 512, OUTPUT_GAP = 64 };

static inline int kernel_outputs(const struct kernel *k)
{
    return 1 + k->more_outputs;
}

static inline const struct operand *kernel_output(const struct kernel *k, int i)
{
    return i ? &k->more_out[i - 1] : &k->out;
}

/* Where output i begins in the block; for i = kernel_outputs(), where the block ends. */
size_t kernel_output_at(const struct kernel *k, struct shape s, int i);
/* Bytes of the block. */
size_t kernel_output_bytes(const struct kernel *k, struct shape s);
/* Elements of all outputs before output i; for i = kernel_outputs(), of all. */
size_t kernel_output_elements(const struct kernel *k, struct shape s, int i);

/* Are some outputs changed in place? */
bool kernel_in_place(const struct kernel *k);
/* Give the outputs in a block their initial values. in: those of the problem. */
void kernel_put_initial(const struct kernel *k, struct shape s, const void *const in[],
                        void *block);

/* A kernel that has output i alone, for all that looks at one output. */
struct kernel kernel_with_output(const struct kernel *k, int i);

#endif
