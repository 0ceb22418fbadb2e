/* shape.h - the size of one problem. */
#ifndef KERNEL_SHAPE_H
#define KERNEL_SHAPE_H

#include <stdbool.h>

#include "base/err.h"

/* gemm: A is m x k, B is k x n, C is m x n. */
struct shape {
    int m, n, k;
};

#define SHAPE_TEXT 40

/* Read "1024" (a cube) or "300x20x4000" (M x N x K). All numbers must be positive, and no matrix
 * may have more than 2^31 - 1 elements. 0, or -1 with the reason. */
int shape_parse(const char *text, struct shape *s, struct err *e);
/* Write "1024" for a cube, "300x20x4000" otherwise. */
void shape_format(struct shape s, char out[SHAPE_TEXT]);
bool shape_equal(struct shape a, struct shape b);

/* Which shapes a kernel must be able to compute. */
struct shape_rule {
    bool square;     /* m = n = k */
    int multiple_of; /* of each dimension; 0 or 1: any */
};

bool shape_rule_equal(struct shape_rule a, struct shape_rule b);
bool shape_allowed(struct shape_rule r, struct shape s);
/* Every dimension rounded up to the multiple; down where a matrix could become too large. */
struct shape shape_round_up(struct shape_rule r, struct shape s);
/* "" for any shape, "squares only", "multiples of 16 only", "squares of multiples of 16 only" */
void shape_rule_text(struct shape_rule r, char out[SHAPE_TEXT]);

#endif
