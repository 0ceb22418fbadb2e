/* shape.h - the size of one problem: a number for each dimension of its kernel. */
#ifndef KERNEL_SHAPE_H
#define KERNEL_SHAPE_H

#include <stdbool.h>

enum { SHAPE_DIMS = 4, SHAPE_TEXT = 48 };

/* In the order of the kernel's dimensions, which it names. The numbers are positive; 0: the kernel
 * has no such dimension. All 0: no shape. */
struct shape {
    int dim[SHAPE_DIMS];
};

/* Number of dimensions. */
int shape_dims(struct shape s);
/* Write "1024" if all dimensions are equal, "300x20x4000" otherwise. (kernel_shape() reads it.) */
void shape_format(struct shape s, char out[SHAPE_TEXT]);
bool shape_equal(struct shape a, struct shape b);
/* So many dimensions, all equal. */
struct shape shape_cube(int dims, int size);

/* Which shapes a kernel must be able to compute. */
struct shape_rule {
    bool square;     /* all dimensions are equal */
    int multiple_of; /* of each dimension; 0 or 1: any */
};

bool shape_rule_equal(struct shape_rule a, struct shape_rule b);
bool shape_allowed(struct shape_rule r, struct shape s);
/* Every dimension rounded up to the multiple; down where a matrix could become too large. */
struct shape shape_round_up(struct shape_rule r, struct shape s);
/* "" for any shape, "squares only", "multiples of 16 only", "squares of multiples of 16 only" */
void shape_rule_text(struct shape_rule r, char out[SHAPE_TEXT]);

#endif
