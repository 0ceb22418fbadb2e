/*
 * kernel.h - a computation that students implement, mostly as data: its dimensions and operands,
 * the values of inputs, the right answer, and how many operations it needs. It does not depend on
 * assignments, cases or results. docs/adding-a-kernel.md says what a new one needs.
 *
 * The student's function gets the dimensions (int) in their order, then the inputs, then the
 * output:
 *
 *     void gemm_i32(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C);
 */
#ifndef KERNEL_KERNEL_H
#define KERNEL_KERNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "kernel/launch.h"
#include "kernel/mismatch.h"
#include "kernel/operand.h"
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
    const char *name;       /* as in assignment files: "gemm" */
    enum element_type type; /* of the arithmetic */
    /* The function that a student defines: "gemm_i32". The launch kind of the tier adds a suffix.
     */
    const char *function;

    int dims;
    const char *dim_name[SHAPE_DIMS]; /* "M" */
    int inputs;
    struct operand in[KERNEL_MAX_INPUTS], out;

    /* Shapes at which implementations are often wrong. */
    const struct shape *edges;
    int edges_count;

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

    /* For rounded values: the error of element (i, j) is given in units of u row[i] col[j], where u
     * is the unit roundoff of the output's type. The units must be such that a careful kernel has
     * errors of about 1. NULL: all results are exact. */
    void (*scale)(struct shape s, const void *const in[], double *row, double *col);

    /* Is c->got right? (c->expected is not used.) A cheap check of a whole result, for the
     * yardstick at large shapes, with values[0] and with those of timed runs. It misses a wrong
     * element with a probability below 2^-60 if the values are exact, and looks at some rows if
     * they are not. NULL: expect() is fast enough. seed: random, of the check. */
    bool (*certify)(const struct comparison *c, uint64_t seed);

    double (*operations)(struct shape s); /* of one call */
};

#define KERNEL(name) extern const struct kernel kernel_##name;
#include "kernel/kernels.def"
#undef KERNEL

/* The kernel of that name for elements of that type, or NULL. */
const struct kernel *kernel_find(const char *name, enum element_type type);

/* Names of all kernels, NULL-terminated. */
const char *const *kernel_names(void);
/* The types for which there is a kernel of that name: "i32, f32, f64". The caller frees it. */
char *kernel_types(const char *name);

/* Read "1024" (all dimensions are equal) or "300x20x4000", a number for each dimension of the
 * kernel. All numbers must be positive, and no operand may have more than 2^31 - 1 elements. 0, or
 * -1 with the reason. */
int kernel_shape(const struct kernel *k, const char *text, struct shape *s, struct err *e);

/* "300 x 20 x 4000 (M x N x K)". The caller frees it. */
char *kernel_shape_text(const struct kernel *k, struct shape s);

/* The name of a dimension in tables and JSON: "m". */
enum { DIM_KEY = 16 };
void kernel_dim_key(const struct kernel *k, int dim, char out[DIM_KEY]);

/* Bytes that one call must read or write at least: those of all operands. */
double kernel_bytes(const struct kernel *k, struct shape s);

/* An error of a rounded result may be so large, in the units of scale(); and in the root mean
 * square. Measured for products: 4.3 and 0.3 for cuBLAS whatever K is, 11 and 1.3 for four levels
 * of Strassen's algorithm, 29 and 5 for three products of TF32; 35 to 550 in the root mean square
 * for TF32, more for 16 bits. */
#define KERNEL_ERROR_MOST 64.0
#define KERNEL_ERROR_RMS_MOST 10.0

/* Compare c->got with c->expected, element by element. Exact values must give equal elements; for
 * rounded ones see above. Returns the number of wrong elements, describes them in *m, and says how
 * large the errors are. */
uint64_t kernel_compare(const struct kernel *k, const struct comparison *c, struct mismatch *m,
                        struct accuracy *a);

/* What an output holds before a call: a 64-bit pattern made from a random number. For floating
 * point, numbers of the size of a result and NANs. Then whoever adds to the output is wrong, and so
 * is whoever multiplies it by zero. */
uint64_t kernel_poison_pattern(const struct kernel *k, uint64_t random);
/* Fill dst with the 64-bit pattern. `bytes` need not be a multiple of 8. */
void kernel_poison(void *dst, size_t bytes, uint64_t pattern);

#endif
