/*
 * kernel.h - a computation that students implement, mostly as data: its dimensions and operands,
 * the values of inputs, the right answer, and how many operations it needs. It does not depend on
 * assignments, cases or results. docs/architecture.md says what a new one needs.
 *
 * The student's function gets the dimensions (int) in their order, then the inputs, then the
 * output:
 *
 *     void gemm_i32(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C);
 *
 * A kernel in a file (file.h) may have them in another order, and may return its output, if that is
 * one number.
 *
 * The dimensions of a size are free. Those of a sparse matrix have others that follow from them and
 * from its structure: the number of its nonzero entries. Such a dimension is derived.
 *
 * Several kernels can have the same problem: the same product, with the sparse matrix stored in
 * another way. They have the same dimensions, structures, edge shapes and kinds of values. So they
 * can be tiers of one assignment, and the cases are the same for all.
 */
#ifndef KERNEL_KERNEL_H
#define KERNEL_KERNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "kernel/launch.h"
#include "kernel/matrix_files.h"
#include "kernel/mismatch.h"
#include "kernel/operand.h"
#include "kernel/shape.h"
#include "kernel/values.h"

/* The check of a kernel in a file is a kernel, too: its inputs are those of the other one, the
 * results and the right results. */
#define KERNEL_FILE_INPUTS 8
#define KERNEL_MAX_OUTPUTS 8
#define KERNEL_MAX_INPUTS (KERNEL_FILE_INPUTS + 2 * KERNEL_MAX_OUTPUTS)

/* A kind of values that belongs to one kernel. Its number is VALUES_OWN and its place. */
struct value_kind {
    const char *name; /* "sorted" */
    bool exact;       /* must results be exactly right? */
};

/* What the check of an exercise says of a result: file.h. */
enum { CHECK_WHY = 200 };
struct opinion {
    bool right;
    char why[CHECK_WHY]; /* it is not; may be "" */
};

/* A result beside the right one. */
struct comparison {
    struct shape shape;
    enum value_dist values;
    const void *const *in; /* the inputs */
    const void *expected, *got;
    /* If rounded results have no scale(): by how much the trusted code gives another result where
     * it rounds up from where it rounds down, of each element (NULL: not known), and what counts at
     * least. */
    const double *spread;
    const double *least_spread; /* of each output; NULL: 0 */
    uint64_t poison;            /* the 64-bit pattern that filled `got` before the call */
    /* What one output held in its place, and whether it must be exact: kernel_compare() says. */
    const void *initial;
    bool exact;
    /* NULL: nobody has asked the check of the exercise, if there is one. Then only what is equal to
     * the right result is right. */
    const struct opinion *checked;
    struct launch launch;
};

/* An argument of the function. */
struct call_argument {
    enum call_argument_what {
        ARGUMENT_DIMENSION,
        ARGUMENT_WIDE,
        ARGUMENT_INPUT,
        ARGUMENT_OUTPUT
    } what;
    int index; /* of the dimension (wide: it is an int64_t), input or output */
};

/* To compute with fewer bits than the type has. */
struct shortcut {
    const char *name; /* what the kernel seems to do: "rounds its inputs to 16 bits" */
    int ways;         /* to do it */
    /* The error that one of them makes in element (row, col) of the output. */
    double (*error)(struct shape s, const void *const in[], size_t row, size_t col, int way);
};

struct kernel {
    const char *name;       /* as in assignment files: "gemm" */
    const char *problem;    /* what is computed, and the header that students include: "gemm" */
    enum element_type type; /* of the arithmetic */
    /* The function that a student defines: "gemm_i32". The launch kind of the tier adds a suffix.
     */
    const char *function;

    int dims;                         /* free ones */
    const char *dim_name[SHAPE_DIMS]; /* "M" */
    bool may_be_empty[SHAPE_DIMS];    /* may it be 0? Then operands may have no elements */
    int derived;
    const char *derived_name[SHAPE_DERIVED]; /* "nnz" */
    int facts;
    const char *fact_name[SHAPE_FACTS]; /* as a column: "padding" */
    /* A derived dimension that the function gets after the free ones, as an extent
     * (EXTENT_DERIVED, ...). 0: none. */
    int derived_argument;
    int inputs;
    struct operand in[KERNEL_MAX_INPUTS], out;
    struct operand more_out[KERNEL_MAX_OUTPUTS - 1]; /* outputs.h */
    int more_outputs;
    const struct call_argument *arguments; /* NULL: dimensions, inputs, output */
    int arguments_count;
    bool returns;                   /* `out`, one number, is the result of the function */
    const struct kernel_file *file; /* that the kernel is from; NULL: it is built in */

    /* The structures of random cases, if there is a sparse matrix. Its rows are dimension 0, and
     * its columns are dimension 1. */
    const struct structure *structures;
    int structures_count;

    /* Fill the derived dimensions and the facts of a shape. 0, or -1 if there is no such matrix.
     * NULL: there are none. */
    int (*complete)(struct shape *s, struct err *e);

    /* Shapes at which implementations are often wrong. They are not complete. */
    const struct shape *edges;
    int edges_count;

    /* The values of correctness cases, in turn, and those of timed runs. */
    const enum value_dist *values;
    int values_count;
    enum value_dist timed;
    const struct value_kind *kinds; /* its own ones, simple ones first; NULL: there are none */

    /* Fill the i-th input: a pure function of the other arguments. Different seeds give different
     * values throughout. */
    void (*generate)(const struct kernel *k, struct shape s, enum value_dist values, uint64_t seed,
                     int i, void *dst);

    /* Compute the right answer by trusted code. NULL: a process of its own does (file.h). If the
     * kernel has certify(), this is slow: it is for small shapes only, and at the sizes that are
     * timed the yardstick gives the answer. */
    void (*expect)(struct shape s, const void *const in[], void *out);

    /* For rounded values: the error of element (i, j) is given in units of u row[i] col[j], where u
     * is the unit roundoff of the output's type. The units must be such that a careful kernel has
     * errors of about 1. NULL: all results are exact, or the trusted code says how
     * far rounding carries (struct comparison). */
    void (*scale)(struct shape s, const void *const in[], double *row, double *col);

    /* Is c->got right? (c->expected is not used.) A cheap check of a whole result, for the
     * yardstick at large shapes, with values[0] and with those of timed runs. It misses a wrong
     * element with a probability below 2^-60 if the values are exact, and looks at some rows if
     * they are not. NULL: expect() is fast enough. seed: random, of the check. */
    bool (*certify)(const struct comparison *c, uint64_t seed);

    /* Of rounded results, whose errors are so small that limits do not tell them from honest ones.
     * NULL: none is known. */
    const struct shortcut *shortcut;

    /* Of one call. NULL: nobody counts them. */
    double (*operations)(const struct kernel *k, struct shape s);
    /* Operations and bytes are what somebody says that a call needs. They are good for rates, but a
     * better algorithm may need fewer, so no rate is called impossible because of them. */
    bool counts_are_claims;
    /* Bytes that every implementation must read or write. NULL: those of all operands. */
    double (*least_bytes)(struct shape s);

    /* A mistake that explains c->got, as a part of a message. `facts`: of each element, a set of
     * enum element_fact (pattern.h). NULL as a result: none is known. NULL: it knows of none. */
    const char *(*explain)(const struct comparison *c, const unsigned char *facts);
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

/* Do both kernels have the same problem, and elements of the same type? */
bool kernel_same_problem(const struct kernel *a, const struct kernel *b);

/* Read "1024" (all dimensions are equal) or "300x20x4000", a number for each free dimension of the
 * kernel. Its dimension may be named before a number: "n=1024". A structure comes first, as
 * shape_format() writes it. All numbers must be positive, but of dimensions that may be 0. The
 * shape is complete, and kernel_takes() it. The matrix of a file comes from `files`, to which the
 * shape points then; NULL: files are refused. 0, or -1 with the reason. */
int kernel_shape(const struct kernel *k, const char *text, struct matrix_files *files,
                 struct shape *s, struct err *e);

/* The same where some dimensions always have one size (0: not fixed): one number stands for all
 * others, and the numbers of the others alone are enough. Fixed ones that are written are taken as
 * they are. */
int kernel_shape_fixed(const struct kernel *k, const int fixed[SHAPE_DIMS], const char *text,
                       struct matrix_files *files, struct shape *s, struct err *e);

/* Fill what follows from the dimensions and the structure. A square structure gets as many columns
 * as rows, and the matrix of a file has its own rows and columns. 0, or -1 with the reason: there
 * is no such problem. */
int kernel_complete(const struct kernel *k, struct shape *s, struct err *e);

/* Can the kernel store the operands of a complete shape? None may have more than 2^31 - 1 elements:
 * they are addressed by int. e: NULL if the reason is not wanted. 0, or -1. */
int kernel_takes(const struct kernel *k, struct shape s, struct err *e);

/* All free dimensions are `size`. If there is a sparse matrix, it has the first structure of random
 * cases. The shape is complete. */
struct shape kernel_cube(const struct kernel *k, int size);

/* "300 x 20 x 4000 (M x N x K)", "uniform-20, 300 x 20 x 8 (M x N x K), nnz = 6000, ...". The
 * caller frees it. */
char *kernel_shape_text(const struct kernel *k, struct shape s);

/* All dimensions, "16x16x16"; of one, with its name: "n=9". A number alone would be that of a case.
 * What replay takes for a size. */
void kernel_size_text(const struct kernel *k, struct shape shape, char out[SHAPE_TEXT]);

/* What tables and JSON say of a shape: its dimensions, structure, derived dimensions and facts. */
enum { FIELD_KEY = 16 };
struct shape_field {
    enum { FIELD_INTEGER, FIELD_REAL, FIELD_TEXT } kind;
    int integer;
    double real;
    char text[STRUCTURE_TEXT];
};
int kernel_fields(const struct kernel *k);
void kernel_field_key(const struct kernel *k, int i, char key[FIELD_KEY]); /* "m" */
struct shape_field kernel_field(const struct kernel *k, struct shape s, int i);

/* "C[3][5]", "y[7]", or the name alone of an output that is one number. */
void kernel_element_name(const struct kernel *k, struct shape s, int row, int col,
                         char out[ELEMENT_NAME]);

/* The dimensions that the function gets. Returns how many numbers. */
int kernel_arguments(const struct kernel *k, struct shape s, int out[SHAPE_DIMS]);
/* The name of one of them: "M". */
const char *kernel_argument_name(const struct kernel *k, int i);

/* Of kinds of values that the kernel has: the name, as in tables; must a result be exactly right
 * for them; and how hard it is to follow by hand: small numbers for simple values. No two kinds
 * have the same. */
const char *kernel_values_name(const struct kernel *k, enum value_dist v);
bool kernel_values_exact(const struct kernel *k, enum value_dist v);
int kernel_values_rank(const struct kernel *k, enum value_dist v);
/* The kind of that name. False: the kernel has none. */
bool kernel_values_find(const struct kernel *k, const char *name, enum value_dist *v);

/* Operations of one call, or NAN: then no rate of them is known. */
double kernel_operations(const struct kernel *k, struct shape s);
/* What tells large problems from small ones: operations, or bytes where nobody counts them. */
double kernel_work(const struct kernel *k, struct shape s);

/* Bytes that one call must read or write at least. A higher rate than memory has cannot be true. */
double kernel_least_bytes(const struct kernel *k, struct shape s);
/* Bytes of all operands. */
double kernel_bytes(const struct kernel *k, struct shape s);

/* An error of a rounded result may be so large, in the units of scale(); and in the root mean
 * square. Measured for products: 4.3 and 0.3 for cuBLAS whatever K is, 11 and 1.3 for four levels
 * of Strassen's algorithm, 29 and 5 for three products of TF32; 35 to 550 in the root mean square
 * for TF32, more for 16 bits. */
#define KERNEL_ERROR_MOST 64.0
#define KERNEL_ERROR_RMS_MOST 10.0

/* Errors that large in the root mean square are compared with those of a shortcut. */
#define KERNEL_ERROR_RMS_HONEST 0.5

/* Compare c->got with c->expected, element by element. Exact values must give equal elements; for
 * rounded ones see above. Returns the number of wrong elements, describes them in *m, and says how
 * large the errors are. */
uint64_t kernel_compare(const struct kernel *k, const struct comparison *c, struct mismatch *m,
                        struct accuracy *a);

/* What an output holds before a call: a 64-bit pattern made from a random number. For floating
 * point, numbers of the size of a result and NANs. Then whoever adds to the output is wrong, and so
 * is whoever multiplies it by zero. */
uint64_t kernel_poison_pattern(const struct kernel *k, uint64_t random);
/* The same with numbers only, or with NANs only, which integers do not have. */
enum poison { POISON_MIXED, POISON_NUMBERS, POISON_NANS };
uint64_t kernel_poison_of(const struct kernel *k, enum poison kind, uint64_t random);
/* Fill dst with the 64-bit pattern. `bytes` need not be a multiple of 8. */
void kernel_poison(void *dst, size_t bytes, uint64_t pattern);

#endif
