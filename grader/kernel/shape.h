/* shape.h - the size of one problem: a number for each dimension of its kernel, and the structure
 * of its sparse matrix, if there is one. A shape with the matrix of a file points to it: see
 * structure.h. */
#ifndef KERNEL_SHAPE_H
#define KERNEL_SHAPE_H

#include <stdbool.h>

#include "kernel/structure.h"

enum { SHAPE_DIMS = 4, SHAPE_DERIVED = 2, SHAPE_FACTS = 2, SHAPE_TEXT = 112 };

/* In the order of the kernel's dimensions, which it names. The numbers are positive; 0: the kernel
 * has no such dimension, unless its bit is in `empty`. All 0, with no bit: no shape. */
struct shape {
    int dim[SHAPE_DIMS];
    struct structure structure; /* STRUCTURE_NONE: the kernel has no sparse matrix */
    /* What follows from the other members. kernel_complete() fills these; they are 0 before. */
    int derived[SHAPE_DERIVED]; /* further dimensions: numbers of nonzero entries */
    double fact[SHAPE_FACTS];   /* for tables only */
    unsigned empty;             /* dimensions that are 0: shape_set() */
};

/* Give a dimension a size, which may be 0. */
void shape_set(struct shape *s, int dimension, int size);
/* Number of dimensions, without the derived ones. */
int shape_dims(struct shape s);
/* Write "1024" if all dimensions are equal, "300x20x4000" otherwise. A structure comes first:
 * "uniform-20:300x20x8". If it is square, its rows and columns are written once: "poisson:300x8".
 * Those of a file are not written: "matrices/a.mtx:8". (kernel_shape() reads all this.) */
void shape_format(struct shape s, char out[SHAPE_TEXT]);
/* Are the dimensions and the structure equal? The rest follows from them. */
bool shape_equal(struct shape a, struct shape b);
/* So many dimensions, all equal. */
struct shape shape_cube(int dims, int size);

/* Which shapes a kernel must be able to compute. */
struct shape_rule {
    bool square;           /* all dimensions that are not fixed are equal */
    int multiple_of;       /* of each of them; 0 or 1: any */
    int fixed[SHAPE_DIMS]; /* dimensions that always have this size; 0: not fixed */
};

bool shape_rule_equal(struct shape_rule a, struct shape_rule b);
bool shape_allowed(struct shape_rule r, struct shape s);
/* The shape nearby that the rule allows, if `s` fits a square rule: fixed dimensions as the rule
 * says, every other one rounded up to the multiple; down where a matrix could become too large. */
struct shape shape_fit(struct shape_rule r, struct shape s);
/* "" for any shape, "squares only", "multiples of 16 only", "squares of multiples of 16 only";
 * before it, where a dimension is fixed: "sizes with dimension 3 = 1" */
void shape_rule_text(struct shape_rule r, char out[SHAPE_TEXT]);

#endif
