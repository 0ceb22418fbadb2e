/* generator_matrix.h - what generators make of the elements of a square matrix, row by row. Pure.
 */
#ifndef KERNEL_GENERATOR_MATRIX_H
#define KERNEL_GENERATOR_MATRIX_H

#include <stddef.h>

#include "kernel/values.h"

/* What is above the diagonal stands below it, too. */
void matrix_mirror(enum element_type t, size_t n, void *matrix);
/* Nothing is above the diagonal. */
void matrix_lower(enum element_type t, size_t n, void *matrix);
/* Each element of the diagonal is larger than the others of its row together: no pivots are needed,
 * and if the matrix is symmetric, it is positive definite. Of floating-point numbers. */
void matrix_dominate(enum element_type t, size_t n, void *matrix);

#endif
